import GRDB
import ODataClasses
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// A service without entity tags: what is said of it, and how conflicts are seen all the same. And creations that are found
/// by a property that the app names.
@Suite struct UntaggedConflictTests {
    private static func run(
        _ body: @escaping @Sendable (FaultPlace) throws -> Void
    ) async throws {
        try await onOwnThread {
            let place = try FaultPlace { UntaggedServiceTransport($0) }
            place.provider.batchEntityUploads = false
            place.provider.batchEntityDownloads = false
            place.provider.preferCompactResponses = false
            // Counts from the opening on: each change has a request of its own.
            place.provider.combineLocalUpdates = false
            place.provider.combineLocalDeletes = false
            try place.provider.open()
            try place.provider.download()
            try body(place)
            try place.close()
        }
    }

    private static func retitle(_ place: FaultPlace, _ title: String) throws {
        let order = try place.entities("WorkOrders", by: "Id")[0]
        place.setTitle(title, of: order)
        try place.provider.update(order)
    }

    private static func served(_ place: FaultPlace) throws -> [String] {
        try place.serviceRows("SELECT Title FROM WorkOrders WHERE Id = 1")
            .map { String.fromDatabaseValue($0[0]) ?? "-" }
    }

    private static func theirs(_ place: FaultPlace) throws {
        try place.changeAtService("UPDATE WorkOrders SET Title = 'theirs' WHERE Id = 1")
    }

    /// Both sides change a row of a set that is compared.
    private static func conflict(_ place: FaultPlace) throws {
        place.provider.setComparesBeforeWriting(true, for: place.set("WorkOrders"))
        try retitle(place, "mine")
        try theirs(place)
    }

    private static func events(_ place: FaultPlace, _ type: String) throws -> [String] {
        try place.provider.eventHistory(matching: nil).toArray().filter { $0.type == type }
            .map { $0.details ?? "" }
    }

    @Test func itIsSaidOnceThatConflictsCannotBeSeen() async throws {
        try await Self.run { place in
            #expect(
                try place.storeRows("SELECT 1 FROM WorkOrders WHERE _odata_etag IS NOT NULL")
                    .isEmpty)
            for title in ["one", "two"] {
                try Self.retitle(place, title)
                try Self.theirs(place)
                try place.provider.upload()
                #expect(try Self.served(place) == [title])
            }
            #expect(try Self.events(place, "unseenConflicts") == ["WorkOrders"])
        }
    }

    @Test func aRowThatChangedIsAConflictWhereRowsAreCompared() async throws {
        try await Self.run { place in
            try Self.conflict(place)
            place.service.observer.forget()
            try place.provider.upload()
            #expect(try Self.served(place) == ["theirs"])
            #expect(place.service.observer.requests.allSatisfy { $0.method == "GET" })
            let failed = try place.provider.failed().toArray()
            #expect(failed.map(\.httpStatus) == [412])
            #expect(failed.first?.errorCode == "RowChanged")
            #expect(try Self.events(place, "unseenConflicts").isEmpty)
            // The policies decide it as any other.
            place.provider.setConflictPolicy(.serverWins, for: place.set("WorkOrders"))
            try place.provider.upload()
            #expect(try place.provider.failed().length == 0)
            #expect(try Self.events(place, "overwrite").count == 1)
            #expect(
                try place.storeRows("SELECT 1 FROM WorkOrders WHERE Id = 1 AND Title = 'theirs'")
                    .count == 1)
        }
    }

    /// A download makes the other row the one that is compared with: that decides nothing.
    @Test(arguments: [true, false])
    func aConflictIsNotDecidedByWaiting(isRetried: Bool) async throws {
        try await Self.run { place in
            try Self.conflict(place)
            try place.provider.upload()
            for _ in 0..<2 {
                try place.provider.download()
                place.service.observer.forget()
                try place.provider.upload()
                #expect(place.service.observer.requests.allSatisfy { $0.method == "GET" })
                #expect(try Self.served(place) == ["theirs"])
                #expect(try place.provider.failed().toArray().map(\.errorCode) == ["RowChanged"])
            }
            if isRetried {
                try place.provider.failed().toArray().first?.retry()
            } else {
                try Self.retitle(place, "corrected")
            }
            try place.provider.upload()
            #expect(try Self.served(place) == [isRetried ? "mine" : "corrected"])
            #expect(try place.provider.failed().length == 0)
            #expect(try place.provider.queued().length == 0)
        }
    }

    /// The row that a download brings is not the one that the change was made for.
    @Test func aDownloadBeforeTheUploadDecidesNoConflict() async throws {
        try await Self.run { place in
            try Self.conflict(place)
            try place.provider.download()
            for _ in 0..<2 {
                try place.provider.upload()
                #expect(try Self.served(place) == ["theirs"])
                #expect(try place.provider.failed().toArray().map(\.errorCode) == ["RowChanged"])
            }
            try place.provider.failed().toArray().first?.retry()
            try place.provider.upload()
            #expect(try Self.served(place) == ["mine"])
            #expect(try place.provider.failed().length == 0)
        }
    }

    /// Somebody has changed another property: nothing of that is written over.
    @Test func aDownloadThatBringsNothingThatAChangeOverwritesIsNoConflict() async throws {
        try await Self.run { place in
            place.provider.setComparesBeforeWriting(true, for: place.set("WorkOrders"))
            try Self.retitle(place, "mine")
            try place.changeAtService("UPDATE WorkOrders SET AssignedTo = 'x' WHERE Id = 1")
            try place.provider.download()
            try place.provider.upload()
            #expect(try Self.served(place) == ["mine"])
            #expect(try place.provider.failed().length == 0)
        }
    }

    /// The correction was made before anybody saw the other row: what it goes over is told.
    @Test func aCorrectionThatGoesOverAnotherRowIsTold() async throws {
        try await Self.run { place in
            try Self.conflict(place)
            try place.provider.upload()
            let order = try place.entities("WorkOrders", by: "Id")[0]
            place.set("AssignedTo", "me", of: order)
            try place.provider.update(order)
            try place.provider.download()
            try place.provider.upload()
            #expect(try Self.served(place) == ["mine"])
            let events = try Self.events(place, "overwrite")
            #expect(events.count == 1)
            #expect(events.allSatisfy { $0.contains("theirs") && $0.contains("mine") })
        }
    }

    @Test(arguments: [true, false])
    func aDeletionOfWhatIsGoneIsDone(isDownloaded: Bool) async throws {
        try await Self.run { place in
            place.provider.setComparesBeforeWriting(true, for: place.set("WorkOrders"))
            try place.provider.delete(place.entities("WorkOrders", by: "Id")[0])
            try place.changeAtService("DELETE FROM WorkOrders WHERE Id = 1")
            if isDownloaded { try place.provider.download() }
            try place.provider.upload()
            #expect(try place.provider.failed().length == 0)
            #expect(try place.provider.queued().length == 0)
        }
    }

    @Test(arguments: [true, false])
    func aDownloadBehindALostSendingDecidesNoConflict(isOwn: Bool) async throws {
        try await Self.run { place in
            _ = try Self.loseChange(place, isOwn ? .loseAnswer : .loseRequest) {
                if isOwn { try Self.retitle(place, "again") } else { try Self.theirs(place) }
                try place.provider.download()
            }
            #expect(try Self.served(place) == [isOwn ? "again" : "theirs"])
            #expect(
                try place.provider.failed().toArray().map(\.isUnknown) == (isOwn ? [] : [true]))
        }
    }

    /// Nothing was downloaded since: the row is read, and what goes over it is told.
    @Test func aRetryGoesOverTheRowThatIsThereAndIsTold() async throws {
        try await Self.run { place in
            let told = Mutex<[String]>([])
            place.provider.overwriteListener = { overwrite in
                told.withLock { $0.append(overwrite.policy) }
            }
            try Self.conflict(place)
            try place.provider.upload()
            #expect(try Self.events(place, "overwrite").isEmpty)
            try place.provider.failed().toArray().first?.retry()
            try place.provider.upload()
            #expect(try Self.served(place) == ["mine"])
            #expect(try place.provider.failed().length == 0)
            let events = try Self.events(place, "overwrite")
            #expect(events.count == 1)
            #expect(events.allSatisfy { $0.contains("theirs") && $0.contains("mine") })
            #expect(told.withLock { $0 } == ["app"])
        }
    }

    @Test func aRowThatIsAsItWasDownloadedIsWritten() async throws {
        try await Self.run { place in
            place.provider.setComparesBeforeWriting(true, for: place.set("WorkOrders"))
            // The second change is compared with what the first has led to.
            try Self.retitle(place, "one")
            try Self.retitle(place, "two")
            try place.provider.upload()
            #expect(try place.provider.failed().length == 0)
            #expect(try Self.served(place) == ["two"])
            try Self.retitle(place, "three")
            try place.provider.upload()
            #expect(try Self.served(place) == ["three"])
        }
    }

    /// A change whose request or answer is lost, at a service that would carry out a repetition.
    private static func loseChange(
        _ place: FaultPlace, _ fault: ServiceObserver.Fault, then change: () throws -> Void = {}
    ) throws -> [String] {
        place.provider.setComparesBeforeWriting(true, for: place.set("WorkOrders"))
        try retitle(place, "mine")
        place.service.observer.setFaults { request, _ in request.method == "PATCH" ? fault : nil }
        #expect(throws: (any Error).self) { try place.provider.upload() }
        place.service.observer.setFaults(nil)
        try change()
        place.service.observer.forget()
        try place.provider.upload()
        return place.service.observer.requests.map(\.method).filter { $0 != "GET" }
    }

    @Test func aChangeThatWasLostDoesNotGoOverWhatOthersWroteMeanwhile() async throws {
        try await Self.run { place in
            let sent = try Self.loseChange(place, .loseRequest) { try Self.theirs(place) }
            #expect(sent.isEmpty)
            #expect(try Self.served(place) == ["theirs"])
            #expect(try place.provider.failed().toArray().map(\.isUnknown) == [true])
        }
    }

    @Test func aChangeThatWasLostIsSentAgainOverTheRowItWasMadeFor() async throws {
        try await Self.run { place in
            let sent = try Self.loseChange(place, .loseRequest)
            #expect(sent == ["PATCH"])
            #expect(try Self.served(place) == ["mine"])
            #expect(try place.provider.failed().length == 0)
            #expect(try place.provider.queued().length == 0)
        }
    }

    @Test func ourOwnChangeWhoseAnswerWasLostIsNoConflict() async throws {
        try await Self.run { place in
            let sent = try Self.loseChange(place, .loseAnswer)
            #expect(sent.isEmpty)
            #expect(try Self.served(place) == ["mine"])
            #expect(try place.provider.failed().length == 0)
            #expect(try place.provider.queued().length == 0)
        }
    }

    /// Between the lost answer and the look somebody has changed what the next change overwrites.
    @Test func whatWaitsBehindALostAnswerDoesNotGoOverWhatOthersWroteMeanwhile() async throws {
        try await Self.run { place in
            func assign(_ name: String) throws {
                let order = try place.entities("WorkOrders", by: "Id")[0]
                place.set("AssignedTo", name, of: order)
                try place.provider.update(order)
            }
            func assigned() throws -> [String] {
                try place.serviceRows("SELECT AssignedTo FROM WorkOrders WHERE Id = 1")
                    .map { String.fromDatabaseValue($0[0]) ?? "-" }
            }
            place.provider.setComparesBeforeWriting(true, for: place.set("WorkOrders"))
            try Self.retitle(place, "mine")
            try assign("me")
            place.service.observer.setFaults { request, _ in
                request.method == "PATCH" ? .loseAnswer : nil
            }
            #expect(throws: (any Error).self) { try place.provider.upload() }
            place.service.observer.setFaults(nil)
            try place.changeAtService(
                "UPDATE WorkOrders SET AssignedTo = 'theirs' WHERE Id = 1")
            for _ in 0..<2 {
                try place.provider.upload()
                #expect(try Self.served(place) == ["mine"])
                #expect(try assigned() == ["theirs"])
                let failed = try place.provider.failed().toArray()
                #expect(failed.map(\.errorCode) == ["RowChanged"])
            }
        }
    }

    /// Lets the first look at a row fail after each change of it.
    private static func failLooksBehindChanges(_ place: FaultPlace) {
        let isBehind = Mutex(false)
        place.service.observer.setFaults { request, _ in
            isBehind.withLock { isBehind in
                let fails = isBehind && request.method == "GET"
                isBehind = request.method == "PATCH"
                return fails ? .answer(ResponseMessage(status: 500)) : nil
            }
        }
    }

    /// What the service makes of a change besides: it trims, and notes who was there.
    private static func addRules(_ place: FaultPlace) throws {
        try place.changeAtService(
            "CREATE TRIGGER rule AFTER UPDATE OF Title ON WorkOrders BEGIN UPDATE WorkOrders"
                + " SET Title = trim(NEW.Title), AssignedTo = 'changed' WHERE Id = NEW.Id; END")
    }

    @Test(arguments: [true, false])
    func ourOwnChangeIsNotTakenForAForeignOneWhereTheLookBehindItFailed(
        isOneUpload: Bool
    ) async throws {
        try await Self.run { place in
            place.provider.setComparesBeforeWriting(true, for: place.set("WorkOrders"))
            try Self.addRules(place)
            Self.failLooksBehindChanges(place)
            try Self.retitle(place, "one ")
            if !isOneUpload { try place.provider.upload() }
            try Self.retitle(place, "two ")
            try place.provider.upload()
            #expect(try Self.served(place) == ["two"])
            #expect(try place.provider.failed().length == 0)
            #expect(try place.provider.queued().length == 0)
        }
    }

    /// The service notes in the row who was there: that is no change of somebody else's.
    @Test(arguments: [true, false])
    func aDeletionBehindAChangeGoesOverTheRowThatTheChangeLeft(isChanged: Bool) async throws {
        try await Self.run { place in
            place.provider.setComparesBeforeWriting(true, for: place.set("WorkOrders"))
            try Self.addRules(place)
            try Self.retitle(place, "mine")
            if isChanged { try Self.theirs(place) }
            try place.provider.delete(place.entities("WorkOrders", by: "Id")[0])
            try place.provider.upload()
            #expect(try Self.served(place) == (isChanged ? ["theirs"] : []))
            let listed = try place.provider.failed().toArray().map { $0.errorCode ?? "-" }
            #expect(listed == (isChanged ? ["RowChanged", "-"] : []))
            #expect(try place.provider.queued().length == 0)
        }
    }

    @Test func aForeignChangeIsSeenThoughTheLookBehindOurOwnFailed() async throws {
        try await Self.run { place in
            place.provider.setComparesBeforeWriting(true, for: place.set("WorkOrders"))
            try Self.addRules(place)
            Self.failLooksBehindChanges(place)
            try Self.retitle(place, "one ")
            try place.provider.upload()
            try Self.theirs(place)
            try Self.retitle(place, "two ")
            try place.provider.upload()
            #expect(try Self.served(place) == ["theirs"])
            #expect(try place.provider.failed().toArray().map(\.errorCode) == ["RowChanged"])
            // A deletion goes over everything, what the service has made of our change included.
            try place.provider.cancelPendingRequests(nil)
            try place.changeAtService("UPDATE WorkOrders SET Title = 'one' WHERE Id = 1")
            try place.provider.delete(place.entities("WorkOrders", by: "Id")[0])
            try place.provider.upload()
            #expect(try Self.served(place) == ["one"])
            // What a download has brought is seen.
            try place.provider.download()
            try place.provider.failed().toArray().first?.retry()
            try place.provider.upload()
            #expect(try Self.served(place) == [])
        }
    }

    @Test func theClientWinsOverARowThatWasCompared() async throws {
        try await Self.run { place in
            place.provider.setComparesBeforeWriting(true, for: place.set("WorkOrders"))
            place.provider.setConflictPolicy(.clientWins, for: place.set("WorkOrders"))
            try Self.retitle(place, "mine")
            try Self.theirs(place)
            try place.provider.upload()
            #expect(try Self.served(place) == ["mine"])
            #expect(try place.provider.failed().length == 0)
            let event = try #require(try Self.events(place, "overwrite").first)
            #expect(event.contains("theirs") && event.contains("mine"))
        }
    }

    // MARK: A property to find creations by

    @Test(arguments: [true, false])
    func aCreationIsFoundByThePropertyThatTheAppNames(arrived: Bool) async throws {
        try await Self.run { place in
            place.provider.setProbeProperty(
                place.set("Sites").entityType.property(withName: "Name"), for: place.set("Sites"))
            let site = place.newEntity(like: try place.entities("Sites", by: "Id")[0])
            place.set("Name", "probed", of: site)
            try place.provider.create(site)
            place.service.observer.setFaults { request, _ in
                request.method == "POST" ? arrived ? .loseAnswer : .loseRequest : nil
            }
            try? place.provider.upload()
            place.service.observer.setFaults(nil)
            place.service.observer.forget()
            try place.provider.upload()
            let sent = place.service.observer.requests.filter { $0.method == "POST" }
            #expect(sent.count == (arrived ? 0 : 1))
            #expect(try place.provider.failed().length == 0)
            #expect(try place.provider.queued().length == 0)
            try place.provider.download()
            #expect(try place.serviceRows("SELECT 1 FROM Sites WHERE Name = 'probed'").count == 1)
            #expect(try place.storeRows("SELECT 1 FROM Sites WHERE Name = 'probed'").count == 1)
        }
    }

    /// No creation made what was there before it was sent, whatever that shows.
    @Test func aRowOfBeforeIsNotTakenForWhatACreationMade() async throws {
        try await Self.run { place in
            try place.changeAtService("UPDATE Sites SET Name = 'twice' WHERE Id = 1")
            try place.provider.download()
            place.provider.setProbeProperty(
                place.set("Sites").entityType.property(withName: "Name"), for: place.set("Sites"))
            let site = place.newEntity(like: try place.entities("Sites", by: "Id")[0])
            place.set("Name", "twice", of: site)
            try place.provider.create(site)
            place.service.observer.setFaults { request, _ in
                request.method == "POST" ? .loseRequest : nil
            }
            try? place.provider.upload()
            place.service.observer.setFaults(nil)
            try place.provider.upload()
            #expect(try place.provider.failed().length == 0)
            #expect(try place.provider.queued().length == 0)
            try place.provider.download()
            let rows = "SELECT 1 FROM Sites WHERE Name = 'twice'"
            #expect(try place.serviceRows(rows).count == 2)
            #expect(try place.storeRows(rows).count == 2)
        }
    }

    /// It is listed already when the app names the property; two of one value are the app's to choose.
    @Test(arguments: [1, 2])
    func aCreationOfUnknownFateIsLookedForWhenThePropertyIsNamed(count: Int) async throws {
        try await Self.run { place in
            let site = place.newEntity(like: try place.entities("Sites", by: "Id")[0])
            place.set("Name", "probed", of: site)
            try place.provider.create(site)
            place.service.observer.setFaults { request, _ in
                request.method == "POST" ? .loseAnswer : nil
            }
            try? place.provider.upload()
            place.service.observer.setFaults(nil)
            try place.provider.upload()
            #expect(try place.provider.failed().toArray().map(\.isUnknown) == [true])
            if count == 2 {
                try place.changeAtService(
                    "INSERT INTO Sites SELECT 9001, CustomerId, 'probed', Street, City, PostalCode,"
                        + " Country, Latitude, Longitude, OpensAt, HasParking FROM Sites WHERE Id = 1"
                )
            }
            place.provider.setProbeProperty(
                place.set("Sites").entityType.property(withName: "Name"), for: place.set("Sites"))
            place.service.observer.forget()
            try place.provider.upload()
            #expect(place.service.observer.requests.allSatisfy { $0.method == "GET" })
            #expect(try place.provider.failed().length == count - 1)
        }
    }

    @Test func aPropertyThatIsNotThereIsRefused() async throws {
        try await Self.run { place in
            place.provider.setProbeProperty(
                place.set("WorkOrders").entityType.property(withName: "Title"),
                for: place.set("Sites"))
            #expect(throws: (any Error).self) { try place.provider.upload() }
        }
    }
}
