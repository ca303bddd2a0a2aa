import Foundation
import GeneratedSample
import ODataClasses
import ODataProviders
import ODataProxyGen
import ODataServer
import ODataTesting
import SAPOData
import StrictService
import Testing

/// Classes of a service whose keys have two and three parts: of V4 in the async family, and of V2 in the legacy one.
@Suite(.serialized) struct LedgerClassesTests {
    static let schema = """
        CREATE TABLE Accounts (Region TEXT NOT NULL, Number INTEGER NOT NULL, Name TEXT,
            PRIMARY KEY (Region, Number));
        CREATE TABLE Entries (Region TEXT NOT NULL, Number INTEGER NOT NULL, Line INTEGER NOT NULL,
            Amount DECIMAL(10, 2), PRIMARY KEY (Region, Number, Line),
            FOREIGN KEY (Region, Number) REFERENCES Accounts (Region, Number));
        INSERT INTO Accounts VALUES ('N', 1, 'Rent'), ('N''S', 1, 'Tools'), ('S', 2, 'Tools');
        INSERT INTO Entries VALUES ('N', 1, 1, 10.5), ('N', 1, 2, 2), ('S', 2, 1, 7);
        """

    /// Runs a test against the ledger.
    static func run(
        v2: Bool, _ body: @escaping @Sendable (SchoolService, ServicePlace) throws -> Void
    ) async throws {
        try await SchoolService.run(schema: schema, adjust: { $0.speaksV2 = v2 }) { school in
            let place = try ServicePlace(root: school.url.absoluteString)
            defer { place.close() }
            try body(school, place)
        }
    }

    @Test("generated async classes with composite keys work over a store and past it")
    func asyncAndOffline() async throws {
        try await Self.run(v2: false) { school, place in
            try Self.wait { try await Self.useAsync(place) }
            #expect(
                try school.serviceRows(
                    "SELECT Region, Number, Line, Amount FROM Entries ORDER BY 1, 2, 3"
                )
                .map { $0.prefix(3).map { $0 ?? "" }.joined(separator: " ") }
                    == ["N 1 1", "N'S 1 3", "S 2 1"])
            #expect(
                try school.serviceRows("SELECT Name FROM Accounts WHERE Region = 'N''S'")
                    == [["Machines"]])
        }
    }

    private static func useAsync(_ place: ServicePlace) async throws {
        let ledger = Ledger(provider: place.sync)
        try await ledger.open()
        try await ledger.download()
        let rent = try await ledger.fetchAccounts1WithKey(
            region: "N", number: 1, query: DataQuery().expand(LedgerAccounts.entries))
        #expect(rent.name == "Rent" && rent.entries.compactMap(\.line).sorted() == [1, 2])
        let tools = try await ledger.fetchAccounts1WithKey(region: "N'S", number: 1)
        tools.name = "Machines"
        try await ledger.updateEntity(tools)
        let entry = LedgerEntries()
        (entry.region, entry.number, entry.line) = ("N'S", 1, 3)
        entry.amount = BigDecimal("4.25")
        try await ledger.createEntity(entry)
        let gone = try await ledger.fetchEntries1WithKey(region: "N", number: 1, line: 2)
        try await ledger.deleteEntity(gone)
        #expect(
            try place.rows(
                "SELECT Region || Number || Line FROM _odata_view_Entries ORDER BY 1")
                == ["N'S13", "N11", "S21"])
        // The service still has what it had.
        #expect(
            try await ledger.online.fetchEntries1WithKey(region: "N", number: 1, line: 2).amount
                == BigDecimal(2))
        try await ledger.upload()
        #expect(
            try await ledger.online.fetchEntries1WithKey(region: "N'S", number: 1, line: 3).amount
                == BigDecimal("4.25"))
        try await ledger.close()
    }

    @Test("generated legacy classes with composite keys speak V2, online and over a store")
    func legacyAndV2() async throws {
        try await Self.run(v2: true) { school, place in
            let online = OldLedger(provider: place.online)
            online.completionQueue = OperationQueue()
            let rent = try #require(
                try ServicePlace.wait {
                    online.fetchAccounts1WithKey(region: "N", number: 1, completionHandler: $0)
                })
            #expect(rent.name == "Rent")
            let entry = OldLedgerEntries()
            (entry.region, entry.number, entry.line) = ("N", 1, 9)
            entry.amount = BigDecimal(1)
            try online.createEntity(entry)
            #expect(
                try school.serviceRows("SELECT Amount FROM Entries WHERE Line = 9").count == 1)

            let offline = OldLedger(provider: place.sync)
            try place.sync.open()
            try place.sync.download()
            let same = try offline.fetchEntries1WithKey(region: "N", number: 1, line: 9)
            #expect(same.amount == BigDecimal(1))
            let tools = try offline.fetchAccounts1WithKey(region: "N'S", number: 1)
            tools.name = "Machines"
            try offline.updateEntity(tools)
            try offline.deleteEntity(same)
            #expect(
                try place.rows("SELECT Name FROM Accounts WHERE Region = 'N''S'") == ["Machines"])
            try place.sync.upload()
            #expect(
                try school.serviceRows("SELECT Name FROM Accounts WHERE Region = 'N''S'")
                    == [["Machines"]])
            #expect(try school.serviceRows("SELECT 1 FROM Entries WHERE Line = 9").isEmpty)
        }
    }

    /// Runs what is `async` and waits for it, on a thread that may block.
    private static func wait(_ body: @escaping @Sendable () async throws -> Void) throws {
        _ = try ServicePlace.wait { (done: @escaping @Sendable (Bool?, (any Error)?) -> Void) in
            Task {
                do {
                    try await body()
                    done(true, nil)
                } catch {
                    done(nil, error)
                }
            }
        }
    }
}

/// The committed classes of these services are those that the generator makes.
@Suite(.serialized) struct CommittedServiceTests {
    private static func compare(_ options: GenerationOptions, _ metadata: [UInt8]) throws {
        let output = try ProxyGenerator.generate(metadata: metadata, options: options)
        #expect(output.notes.isEmpty)
        try CommittedFiles("Tests/GeneratedSample/\(options.serviceName)").expect(output.files)
    }

    @Test(arguments: [
        (
            StrictService.Face.v4,
            GenerationOptions(serviceName: "Workshop", typePrefix: "Ws")
        ),
        (.v2, GenerationOptions(serviceName: "OldWorkshop", family: .legacy, typePrefix: "Old")),
    ])
    func ofStrictServices(_ face: StrictService.Face, _ options: GenerationOptions) throws {
        let service = try StrictService(face)
        try Self.compare(options, service.ask("GET", "$metadata").body)
    }

    @Test(arguments: [
        (
            false,
            GenerationOptions(
                serviceName: "Ledger", family: .async, provider: .offline, typePrefix: "Ledger")
        ),
        (
            true,
            GenerationOptions(serviceName: "OldLedger", family: .legacy, typePrefix: "OldLedger")
        ),
    ])
    func ofTheLedger(v2: Bool, _ options: GenerationOptions) async throws {
        try await LedgerClassesTests.run(v2: v2) { school, _ in
            let metadata = try Data(contentsOf: school.url.appendingPathComponent("$metadata"))
            try Self.compare(options, Array(metadata))
        }
    }
}
