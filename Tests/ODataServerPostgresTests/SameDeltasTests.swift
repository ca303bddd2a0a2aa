import Foundation
import ODataQuery
import ODataServer
import PostgreSQLFixture
import Testing

/// The same changes come in the same deltas from SQLite and from PostgreSQL.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct SameDeltasTests {
    /// A follower of each service, which read the same.
    private struct Pair {
        var url: String
        var lite: Follower
        var postgres: Follower

        init(_ url: String, key: [String], pageSize: Int) {
            self.url = url
            lite = Follower(url, key: key, pageSize: pageSize)
            postgres = Follower(url, key: key, pageSize: pageSize)
        }
    }

    private static let queries: [(String, [String])] = [
        ("Customers", ["Id"]), ("Customers?$filter=Balance gt 5", ["Id"]),
        ("Customers?$filter=startswith(Name,'A') and Active eq true&$select=Name", ["Id"]),
        ("Customers?$filter=Changed ge 2026-01-01T00:00:00Z&$select=Changed,Since,Token", ["Id"]),
        ("Customers?$filter=Since eq null or Wakes lt 12:00:00", ["Id"]),
        ("Orders?$filter=CustomerId eq 1", ["Id"]), ("Orders?$orderby=Placed desc", ["Id"]),
        ("Items", ["OrderId", "Line"]), ("Items?$filter=Quantity ne null", ["OrderId", "Line"]),
        ("Labels", ["Code"]), ("Labels?$filter=length(Text) gt 5", ["Code"]),
        // Neither tells changes of what is followed.
        ("Customers?$expand=Orders", ["Id"]), ("Orders?$filter=Customer/Level gt 0", ["Id"]),
        ("Orders?$top=2", ["Id"]),
    ]

    private static let rounds: [[(String, String, String?)]] = [
        [
            ("PATCH", "Customers(1)", #"{"Balance":1,"Changed":"2025-01-01T00:00:00Z"}"#),
            ("PATCH", "Customers(2)", #"{"Name":"Ada","Active":true,"Balance":77.5}"#),
            ("POST", "Customers", #"{"Id":8,"Name":"Alf","Active":true,"Wakes":"01:02:03.5"}"#),
            ("PATCH", "Orders(10)/Customer", #"{"Level":5}"#),
        ],
        [
            ("POST", "Items", #"{"OrderId":12,"Line":7,"Product":"Saw"}"#),
            ("PATCH", "Items(OrderId=10,Line=1)", #"{"Quantity":null}"#),
            ("DELETE", "Items(OrderId=10,Line=2)", nil),
            ("PATCH", "Items(OrderId=11,Line=1)", #"{"Quantity":1}"#),
            ("DELETE", "Items(OrderId=12,Line=7)", nil),
        ],
        [
            ("PUT", "Orders(10)/Customer/$ref", #"{"@odata.id":"Customers(4)"}"#),
            ("PATCH", "Orders(13)", #"{"Customer@odata.bind":"Customers(1)"}"#),
            ("PATCH", "Orders(11)", #"{"Amount":8}"#),
            ("DELETE", "Orders(11)/Customer/$ref", nil),
        ],
        [
            ("POST", "Labels", #"{"Code":"x' y,ü/","Text":"longer"}"#),
            ("PATCH", "Labels('')", #"{"Text":"e"}"#), ("DELETE", "Labels('B')", nil),
            ("PATCH", "Labels('ä')", #"{"Text":"no longer null"}"#),
            ("PATCH", "Labels('a')", #"{"Text":"1"}"#), ("PATCH", "Labels('a')", #"{"Text":"2"}"#),
        ],
        [],
        [
            ("POST", "Customers", #"{"Id":9,"Name":"deep","Orders":[{"Id":90},{"Id":91}]}"#),
            ("DELETE", "Orders(90)", nil), ("DELETE", "Orders(91)", nil),
            ("DELETE", "Customers(9)", nil), ("DELETE", "Customers(99)", nil),
            ("PATCH", "Customers(3)", #"{"Since":"2020-01-01","Wakes":"13:00:00"}"#),
            ("POST", "Customers", #"{"Id":1,"Name":"taken"}"#),
        ],
    ]

    @Test(arguments: [1, 2, 1_000])
    func deltas(_ pageSize: Int) throws {
        let twins = try TwinServices(isReadOnly: false)
        let pairs = Self.queries.map { Pair($0.0, key: $0.1, pageSize: pageSize) }
        for pair in pairs {
            #expect(pair.lite.begin(twins.sqlite) == 200, "\(pair.url)")
            #expect(pair.postgres.begin(twins.postgres) == 200, "\(pair.url)")
            expectSame(pair, "the first read")
        }
        #expect(pairs.filter { $0.lite.link != nil }.count == Self.queries.count - 3)
        for (number, round) in Self.rounds.enumerated() {
            for (method, url, body) in round {
                let answers = [twins.sqlite, twins.postgres].map {
                    ChangingService.send(method, url, body, to: $0)
                }
                #expect(answers[0].status == answers[1].status, "\(method) \(url) \(answers)")
            }
            for pair in pairs where pair.lite.link != nil {
                #expect(pair.lite.follow(twins.sqlite) == 200, "\(pair.url)")
                #expect(pair.postgres.follow(twins.postgres) == 200, "\(pair.url)")
                expectSame(pair, "round \(number)")
                #expect(pair.postgres.difference(twins.postgres) == nil, "\(pair.url)")
            }
        }
    }

    private func expectSame(_ pair: Pair, _ when: String) {
        #expect(pair.lite.told == pair.postgres.told, "\(pair.url), \(when)")
        #expect(pair.lite.rows.count == pair.postgres.rows.count)
        for (key, row) in pair.lite.rows {
            #expect(
                Self.untagged(row) == Self.untagged(pair.postgres.rows[key] ?? [:]),
                "\(pair.url) \(key), \(when)")
        }
        #expect((pair.lite.link == nil) == (pair.postgres.link == nil), "\(pair.url), \(when)")
    }

    /// Tags differ, and so do those of expanded entities.
    private static func untagged(_ row: NSDictionary) -> NSObject? {
        func plain(_ value: Any) -> Any {
            if let object = value as? [String: Any] {
                return object.filter { $0.key != "@etag" }.mapValues(plain) as NSDictionary
            }
            return (value as? [Any]).map { $0.map(plain) as NSArray } ?? value
        }
        return plain(row) as? NSObject
    }
}
