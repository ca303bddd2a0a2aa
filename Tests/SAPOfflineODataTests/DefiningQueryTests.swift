import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Testing

@Suite struct DefiningQueryTests {
    private static func opened(
        _ school: SchoolService, _ queries: [(name: String, query: String)],
        parameters: OfflineODataParameters? = nil
    ) throws -> OfflineODataProvider {
        let provider = try school.provider(queries, parameters: parameters)
        let error = SchoolService.wait { provider.open(completionHandler: $0) }
        if let error { throw error }
        return provider
    }

    /// OFF-004, OFF-007
    @Test func theStoreHoldsWhatAllQueriesFind() async throws {
        try await SchoolService.run { school in
            let provider = try Self.opened(school, [("T", "Teachers"), ("S", "/Students")])
            let counts =
                "SELECT (SELECT count(*) FROM Teachers), (SELECT count(*) FROM Students),"
                + " (SELECT count(*) FROM Notes)"
            #expect(try school.storeRows(counts) == [["3", "4", "0"]])
            #expect(
                try school.storeRows("SELECT ID, NAME FROM Teachers ORDER BY ID")
                    == school.serviceRows("SELECT ID, NAME FROM Teachers ORDER BY ID"))
            try provider.close()
        }
    }

    /// OFF-005
    @Test(arguments: [
        "Students?$filter=TEACHER eq 1", "Students?$filter=TEACHER%20eq%201",
        "/Students?$filter=NAME eq 'Dora' or NAME eq 'Emil'",
    ])
    func optionsOfAQueryAreRespected(url: String) async throws {
        try await SchoolService.run { school in
            let provider = try Self.opened(school, [("S", url)])
            #expect(
                try school.storeRows("SELECT NAME FROM Students ORDER BY ID")
                    == [["Dora"], ["Emil"]])
            try provider.close()
        }
    }

    @Test func anAbsoluteURLOfTheServiceIsAQuery() async throws {
        try await SchoolService.run { school in
            let provider = try Self.opened(
                school, [("T", school.url.absoluteString + "Teachers?$filter=ID eq 2")])
            #expect(try school.storeRows("SELECT NAME FROM Teachers") == [["Blaise"]])
            try provider.close()
        }
    }

    @Test(arguments: [
        "Nobody", "Teachers?$filter=NOTHING eq 1", "Teachers(1)", "$metadata", "EventLog",
        "Teachers?$filter=(",
    ])
    func aQueryThatDoesNotFitFailsTheOpening(url: String) async throws {
        try await SchoolService.run { school in
            let provider = try school.provider([("Q", url)])
            let error = SchoolService.wait { provider.open(completionHandler: $0) }
            #expect(error?.errorName == .definingQueryInvalid)
        }
    }

    @Test func namesAreChecked() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider([])
            for (name, query, sentence) in [
                (
                    "", "Teachers",
                    "Expected a name without comma for the defining query, found \"\"."
                ),
                (
                    "a,b", "Teachers",
                    "Expected a name without comma for the defining query, found \"a,b\"."
                ),
                ("a", " ", "Expected a URL in the defining query a."),
            ] {
                #expect(
                    throws: OfflineODataError.invalidInput(
                        code: OfflineODataErrorName.definingQueryInvalid.rawValue,
                        message: sentence)
                ) {
                    try provider.add(
                        definingQuery: OfflineODataDefiningQuery(
                            name: name, query: query, automaticallyRetrievesStreams: false))
                }
            }
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(
                    name: "T", query: "Teachers", automaticallyRetrievesStreams: false))
            #expect(
                throws: OfflineODataError.invalidInput(
                    code: OfflineODataErrorName.definingQueryInvalid.rawValue,
                    message: "Expected a new name for the defining query, found T in use.")
            ) {
                try provider.add(
                    definingQuery: OfflineODataDefiningQuery(
                        name: "T", query: "Students", automaticallyRetrievesStreams: false))
            }
        }
    }

    @Test func aQueryAddedLaterComesWithTheNextDownload() async throws {
        try await SchoolService.run { school in
            let provider = try Self.opened(school, [("T", "Teachers")])
            let notes = OfflineODataDefiningQuery(
                name: "N", query: "Notes", automaticallyRetrievesStreams: false)
            try provider.add(definingQuery: notes)
            #expect(try school.storeRows("SELECT count(*) FROM Notes") == [["0"]])
            #expect(
                SchoolService.wait {
                    provider.download(withSubset: [notes], completionHandler: $0)
                } == nil)
            #expect(try school.storeRows("SELECT count(*) FROM Notes") == [["4"]])
            #expect(try provider.definingQueries.map(\.query) == ["Teachers", "Notes"])
            try provider.close()
        }
    }

    @Test func removalNeedsPermission() async throws {
        try await SchoolService.run { school in
            let provider = try Self.opened(school, [("T", "Teachers"), ("N", "Notes")])
            let notes = OfflineODataDefiningQuery(
                name: "N", query: "Notes", automaticallyRetrievesStreams: false)
            let error = #expect(throws: OfflineODataError.self) {
                try provider.remove(definingQuery: notes)
            }
            #expect(error?.errorName == .definingQueryRemovalNotAllowed)
            provider.allowDefiningQueryRemoval = true
            try provider.remove(definingQuery: notes)
            // At once, and not with the next download.
            #expect(try provider.definingQueries.map(\.name) == ["T"])
            #expect(try provider.definingQueries.allSatisfy { !$0.isRemoving })
            #expect(try school.storeRows("SELECT count(*) FROM Notes") == [["0"]])
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            #expect(try school.storeRows("SELECT count(*) FROM Notes") == [["0"]])
            try provider.close()
        }
    }

    /// The sets of the requests so far, each as often as the set before it was another.
    private static func order(_ school: SchoolService) -> [String] {
        school.service.observer.requests.compactMap { seen in
            ["Students", "Teachers", "Notes"].first { seen.url.contains($0) }
        }.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// PAR-049
    @Test(arguments: [false, true])
    func withoutAnOrderQueriesAreReadTogether(isOrdered: Bool) async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            #expect(!parameters.refreshInOrderOfAddition)
            parameters.refreshInOrderOfAddition = isOrdered
            let provider = try Self.opened(
                school, [("Z", "Students"), ("A", "Teachers"), ("M", "Notes")],
                parameters: parameters)
            let reads = school.service.observer.requests.filter { seen in
                ["Students", "Teachers", "Notes"].contains { seen.url.contains($0) }
            }
            #expect(reads.count == 3)
            #expect(reads.allSatisfy { $0.isInBatch == !isOrdered })
            try provider.close()
        }
    }

    /// PAR-051
    @Test func anOrderThatIsNotKnownComesWithAddingTheQueriesAgain() async throws {
        try await SchoolService.run { school in
            let queries = [("Z", "Students"), ("A", "Teachers"), ("M", "Notes")]
            let parameters = school.parameters()
            parameters.refreshInOrderOfAddition = true
            func orderOfDownload(_ queries: [(String, String)]) throws -> [String] {
                let provider = try Self.opened(school, queries, parameters: parameters)
                school.service.observer.forget()
                #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
                try provider.close()
                return Self.order(school)
            }
            #expect(try orderOfDownload(queries) == ["Students", "Teachers", "Notes"])
            // As a store is that was made before the order was kept.
            let file = try DatabaseQueue(
                path: school.folder.appendingPathComponent("store.db").path)
            try file.write {
                try $0.execute(sql: "UPDATE _odata_download_query SET created_at = 0")
            }
            try file.close()
            #expect(try orderOfDownload([]) != ["Students", "Teachers", "Notes"])
            #expect(try orderOfDownload(queries) == ["Students", "Teachers", "Notes"])
            #expect(try orderOfDownload([]) == ["Students", "Teachers", "Notes"])
        }
    }

    /// PAR-050
    @Test func queriesRunOneAfterTheOtherInTheOrderTheyWereAdded() async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            parameters.refreshInOrderOfAddition = true
            let provider = try Self.opened(
                school, [("Z", "Students"), ("A", "Teachers"), ("M", "Notes")],
                parameters: parameters)
            // The first reads, then the refresh; each query in an exchange of its own, batch or not.
            for _ in 0..<2 {
                var exchanges: [[String]] = []
                for seen in school.service.observer.requests {
                    let name = ["Students", "Teachers", "Notes"]
                        .first { seen.url.contains("\($0)") }
                    if !seen.isInBatch { exchanges.append([]) }
                    if let name { exchanges[exchanges.count - 1].append(name) }
                }
                #expect(
                    exchanges.filter { !$0.isEmpty } == [["Students"], ["Teachers"], ["Notes"]])
                school.service.observer.forget()
                #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            }
            try provider.close()
        }
    }

    /// OFF-035
    @Test func uploadChangesTheServiceAndDownloadTheStore() async throws {
        try await SchoolService.run { school in
            let provider = try Self.opened(school, [("T", "Teachers")])
            let service = DataService(provider: provider)
            let teachers = service.entitySet(withName: "Teachers")
            let name = teachers.entityType.property(withName: "NAME")
            let ada = try service.executeQuery(
                DataQuery().from(teachers).filter(name.equal("Ada"))
            ).requiredEntity()
            name.setStringValue(in: ada, to: "Augusta")
            try service.updateEntity(ada)
            #expect(try school.serviceRows("SELECT NAME FROM Teachers WHERE ID = 1") == [["Ada"]])
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            #expect(
                try school.serviceRows("SELECT NAME FROM Teachers WHERE ID = 1") == [["Augusta"]])
            try school.change("UPDATE Teachers SET NAME = 'Bertha' WHERE ID = 2")
            try school.change("DELETE FROM Teachers WHERE ID = 3")
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            #expect(
                try school.storeRows("SELECT NAME FROM Teachers ORDER BY ID")
                    == [["Augusta"], ["Bertha"]])
            try provider.close()
        }
    }
}
