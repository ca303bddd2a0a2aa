import ODataQuery
import ODataServer
import ODataText
import Testing

/// Keys that a client leaves to the database.
@Suite struct ServiceKeyTests {
    private static let schema = """
        CREATE TABLE Pair (A INTEGER, B INTEGER, Name TEXT, PRIMARY KEY (A, B));
        CREATE TABLE Code (Code TEXT PRIMARY KEY, Name TEXT);
        CREATE TABLE Big (Id BIGINT PRIMARY KEY, Name TEXT);
        CREATE TABLE Drawn (Id TEXT PRIMARY KEY DEFAULT (hex(randomblob(8))), Name TEXT);
        CREATE TABLE DrawnBare (Id TEXT PRIMARY KEY DEFAULT (hex(randomblob(8))), Name TEXT) WITHOUT ROWID;
        CREATE TABLE Bare (A INTEGER, B INTEGER DEFAULT 7, Name TEXT, PRIMARY KEY (A, B)) WITHOUT ROWID;
        CREATE TABLE Named (Id TEXT PRIMARY KEY, Name TEXT, rowid TEXT);
        CREATE TRIGGER named AFTER INSERT ON Named WHEN NEW.Id IS NULL BEGIN
            UPDATE Named SET Id = 'of-' || NEW.Name WHERE _rowid_ = NEW._rowid_; END;
        CREATE TABLE Row (Id INTEGER PRIMARY KEY, Name TEXT);
        INSERT INTO Row VALUES (41, 'old');
        """

    @Test(arguments: ["Pair", "Code", "Big", "Bare"]) func aRowWithoutItsKeyIsNotMade(set: String)
        throws
    {
        let fixture = try ServiceFixture(schema: Self.schema)
        for preference in ["minimal", "representation"] {
            let answer = fixture.send(
                "POST /\(set)", ["Prefer: return=\(preference)"], body: #"{"Name":"x"}"#)
            #expect(answer.status == 400, "\(answer.text)")
            #expect(answer.headers["OData-EntityId"] == nil)
        }
        #expect(try fixture.value("SELECT count(*) FROM \(set)") == "0")
        #expect(try fixture.value("SELECT count(*) FROM _odata_changes") == "0")
    }

    @Test func aKeyThatTheDatabaseDrawsIsTheAddress() throws {
        let fixture = try ServiceFixture(schema: Self.schema)
        for set in ["Drawn", "DrawnBare", "Named"] {
            for preference in ["minimal", "representation"] {
                let answer = fixture.send(
                    "POST /\(set)", ["Prefer: return=\(preference)"],
                    body: #"{"Name":"\#(preference)"}"#)
                #expect(answer.isSuccess, "\(set) \(answer.text)")
                let key = try fixture.value("SELECT Id FROM \(set) WHERE Name = '\(preference)'")
                let link = answer.headers["Location"] ?? ""
                #expect(fixture.send("GET \(link)").json["Id"]?.string == key, "\(link)")
            }
        }
        let bare = fixture.send("POST /Bare", body: #"{"A":3,"Name":"x"}"#)
        #expect(bare.headers["Location"] == "http://h/Bare(A=3,B=7)", "\(bare.text)")
        let row = fixture.send("POST /Row", ["Prefer: return=minimal"], body: #"{"Name":"x"}"#)
        #expect(row.headers["OData-EntityId"] == "http://h/Row(42)")
    }
}
