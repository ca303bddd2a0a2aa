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

    private static let moved = """
        CREATE TABLE Set1 (Id TEXT PRIMARY KEY DEFAULT 'new', Name TEXT);
        CREATE TRIGGER set1 AFTER INSERT ON Set1 BEGIN
            UPDATE Set1 SET Id = 'of-' || NEW.Name WHERE rowid = NEW.rowid; END;
        CREATE TABLE Lines (Id INTEGER PRIMARY KEY, SetId TEXT REFERENCES Set1(Id));
        CREATE TABLE Number (Id INTEGER PRIMARY KEY, Name TEXT);
        CREATE TRIGGER number AFTER INSERT ON Number BEGIN
            UPDATE Number SET Id = Id + 1000 WHERE Id = NEW.Id; END;
        CREATE TABLE Bare (Id TEXT PRIMARY KEY DEFAULT 'new', Name TEXT) WITHOUT ROWID;
        CREATE TRIGGER bare AFTER INSERT ON Bare BEGIN
            UPDATE Bare SET Id = 'of-' || NEW.Name WHERE Id = NEW.Id; END;
        CREATE TABLE Gone (Id TEXT PRIMARY KEY, Name TEXT);
        CREATE TRIGGER gone AFTER INSERT ON Gone BEGIN DELETE FROM Gone WHERE Id = NEW.Id; END;
        CREATE TABLE Shut (Id INTEGER PRIMARY KEY, Name TEXT);
        INSERT INTO Shut VALUES (1, 'first');
        CREATE TRIGGER shut BEFORE INSERT ON Shut BEGIN SELECT RAISE(IGNORE); END;
        CREATE TABLE Again (Id TEXT PRIMARY KEY, Name TEXT);
        CREATE TRIGGER again AFTER INSERT ON Again WHEN NEW.Name <> 'kept' BEGIN
            DELETE FROM Again WHERE Id = NEW.Id;
            INSERT INTO Again VALUES (NEW.Id, 'kept'); END;
        """

    /// A trigger behind the insert has the last word about the key.
    @Test func aKeyThatATriggerSetsIsTheAddress() throws {
        let fixture = try ServiceFixture(schema: Self.moved)
        for (name, preference) in [("a", "minimal"), ("b", "representation")] {
            for own in ["", #""Id":"mine","#] {
                let answer = fixture.send(
                    "POST /Set1", ["Prefer: return=\(preference)"],
                    body: #"{\#(own)"Name":"\#(name)\#(own.count)"}"#)
                #expect(answer.isSuccess, "\(answer.text)")
                #expect(answer.headers["Location"] == "http://h/Set1('of-\(name)\(own.count)')")
            }
        }
        // What hangs on the entity hangs on its key.
        let deep = fixture.send("POST /Set1", body: #"{"Name":"d","Lines":[{"Id":1}]}"#)
        #expect(deep.status == 201, "\(deep.text)")
        #expect(try fixture.value("SELECT SetId FROM Lines") == "of-d")
        let again = fixture.send("POST /Again", body: #"{"Id":"x","Name":"new"}"#)
        #expect(again.status == 201 && again.json["Name"]?.string == "kept", "\(again.text)")
    }

    @Test(arguments: ["Number", "Bare", "Gone", "Shut"])
    func aRowThatIsNotFoundAgainIsNotMade(set: String) throws {
        let fixture = try ServiceFixture(schema: Self.moved)
        let before = try fixture.value("SELECT count(*) FROM \(set)")
        for preference in ["minimal", "representation"] {
            let id = set == "Number" || set == "Shut" ? "7" : #""x""#
            let answer = fixture.send(
                "POST /\(set)", ["Prefer: return=\(preference)"],
                body: #"{"Id":\#(id),"Name":"x"}"#)
            #expect(answer.status == 400, "\(answer.text)")
            #expect(answer.text.contains("rule"), "\(answer.text)")
            #expect(answer.headers["Location"] == nil)
        }
        #expect(try fixture.value("SELECT count(*) FROM \(set)") == before)
        #expect(try fixture.value("SELECT count(*) FROM _odata_changes") == "0")
    }
}
