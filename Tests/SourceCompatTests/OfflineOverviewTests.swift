// swift-format-ignore-file
// The layout is that of the document.

import Foundation
import ODataServer
import ODataTesting
import SAPCommon
import SAPFoundation
import SAPOData
import SAPOfflineOData
import Testing

// The code samples of the overview of the offline provider. What differs from the document is noted beside it: names in
// capitals are replaced, the service is reached over http, and `var` stands as `let` where nothing changes the value.

/// An implementation of the session's delegate, which the samples leave to the reader.
private final class HanaURLSessionDelegate: SAPURLSessionDelegate {}

private class OfflineODataDelegateSample: OfflineODataDelegate {
    public func offlineODataProvider( _ provider: OfflineODataProvider, didUpdateDownloadProgress progress: OfflineODataProgress ) -> Void
    {
        print( "downloadProgress: \(progress.bytesSent)  \(progress.bytesReceived)" )
    }

    public func offlineODataProvider( _ provider: OfflineODataProvider, didUpdateFileDownloadProgress progress: OfflineODataFileDownloadProgress ) -> Void
    {
        print( "downloadProgress: \(progress.bytesReceived)  \(progress.fileSize)" )
    }

    public func offlineODataProvider( _ provider: OfflineODataProvider, didUpdateUploadProgress progress: OfflineODataProgress ) -> Void
    {
        print( "downloadProgress: \(progress.bytesSent)  \(progress.bytesReceived)" )
    }

    public func offlineODataProvider( _ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest ) -> Void
    {
        print( "requestFailed: \(request.httpStatusCode)" )
    }

    /// The OfflineODataStoreState is a Swift OptionSet. Use the set operation to retrieve each setting.
    private func storeState2String( _ state : OfflineODataStoreState ) -> String
    {
        var result = ""

        if state.contains(.opening) {
            result = result + ":opening"
        }

        if state.contains(.open) {
            result = result + ":open"
        }

        if state.contains(.closed) {
            result = result + ":closed"
        }

        if state.contains(.downloading) {
            result = result + ":downloading"
        }

        if state.contains(.uploading) {
            result = result + ":uploading"
        }

        if state.contains(.initializing) {
            result = result + ":initializing"
        }

        if state.contains(.fileDownloading) {
            result = result + ":fileDownloading"
        }

        if state.contains(.initialCommunication) {
            result = result + ":initialCommunication"
        }

        return result
    }

    /// What the sample prints, for the test to look at.
    var states: [String] = []

    public func offlineODataProvider( _ provider: OfflineODataProvider, stateDidChange newState: OfflineODataStoreState ) -> Void
    {
        let stateString = storeState2String( newState )
        print( "stateChanged: \(stateString)" )
        states.append(stateString)
    }
}

private func uploadCompletion( success: Bool, error: Error? )
{
    if( success ) {
        print( "Upload successfully completed" )
    } else {
        print( "Upload unsuccessfully completed" )
    }
}

private func downloadCompletion( success: Bool, error: Error? )
{
    if( success ) {
        print( "Download successfully completed" )
    } else {
        print( "Download unsuccessfully completed" )
    }
}

/// What a generator makes of the Teachers set, as far as the sample of reading uses it.
private class Teachers: EntityValue, @unchecked Sendable {
    /// Set by the test once metadata is there, as generated classes set theirs.
    nonisolated(unsafe) static var id: Property = SyncEvent.eventID
}

extension DataService {
    fileprivate func teachers( query: DataQuery ) throws -> EntityValueList {
        try executeQuery( query.fromDefault( entitySet( withName: "Teachers" ) ) ).entityList()
    }
}

@Suite(.serialized) struct OfflineOverviewTests {
    /// The objects of the first sample.
    private struct Setup {
        var provider: OfflineODataProvider
        var service: DataService
        var teacherDQ: OfflineODataDefiningQuery
        var delegate: OfflineODataDelegateSample
    }

    private static func setUp(_ school: SchoolService) throws -> Setup {
        let storeName = "sample"
        let enableRepeatableRequests = true
        let host = school.url.host ?? ""
        let port = "\(school.url.port ?? 0)"
        let serviceName = "School"
        let myServiceRoot = URL( string: "http://\(host):\(port)/\(serviceName)/" )!

        /// Setup an instance of OfflineODataParameters, see OfflineODataParameters class document for details.
        /// You can also set storeParams.storePath if the default location is not desired.
        let storeParams: OfflineODataParameters = OfflineODataParameters()
        storeParams.enableRepeatableRequests = enableRepeatableRequests
        storeParams.storeName = storeName
        storeParams.storePath = school.folder

        /// HanaURLSessionDelegate is your implemetation of SAPURLSessionDelegate.
        let hanaURLSessionDelegate = HanaURLSessionDelegate()

        /// Setup an instance of SAPURLSession for authentication. See SAPURLSession class document for more examples.
        let mySAPURLSession = SAPURLSession( configuration: URLSessionConfiguration.default, delegate: hanaURLSessionDelegate )
        mySAPURLSession.register( SAPcpmsObserver( applicationID: "YOUR_APP_ID" ) )

        /// Create the OfflineODataProvider and DataService instances
        _ = try OfflineODataProvider( serviceRoot: myServiceRoot, parameters: storeParams, sapURLSession: mySAPURLSession )

        /// Setup an instance of delegate. See sample code below for definition of OfflineODataDelegateSample class.
        let delegate: OfflineODataDelegateSample = OfflineODataDelegateSample()
        let provider = try OfflineODataProvider( serviceRoot: myServiceRoot, parameters: storeParams, sapURLSession: mySAPURLSession, delegate: delegate )
        let service = DataService( provider: provider )

        /// A defining query should be a valid OData query optionally relative to the
        /// service root, e.g., an entity set name such as "Teachers".
        /// See OfflineODataDefiningQuery for details.
        let teacherDQ = OfflineODataDefiningQuery( name: "TeachersQuery", query: "Teachers", automaticallyRetrievesStreams: false )
        let studentDQ = OfflineODataDefiningQuery( name: "StudentsQuery", query: "Students", automaticallyRetrievesStreams: false )
        try provider.add( definingQuery: teacherDQ )
        try provider.add( definingQuery: studentDQ )
        // The sample about errors has an entity with a key named pk.
        try provider.add( definingQuery: OfflineODataDefiningQuery( name: "NotesQuery", query: "Notes", automaticallyRetrievesStreams: false ) )
        return Setup(provider: provider, service: service, teacherDQ: teacherDQ, delegate: delegate)
    }

    /// The sample that turns the asynchronous call into a synchronous one.
    private static func open(_ provider: OfflineODataProvider) -> OfflineODataError? {
        nonisolated(unsafe) var result: OfflineODataError?
        /// We convert to synchronous call here using DispatchSemaphore for demo purpose
        let sem = DispatchSemaphore( value: 0 )
        provider.open( completionHandler: { ( _ error: OfflineODataError? ) -> Void in
            if( error != nil ) {
                /// Handle the error
                result = error
            }

            sem.signal()
        } )
        sem.wait()
        return result
    }

    /// OFF-014, OFF-016, OFF-038
    @Test func theStoreOpensByHandlerAndBySemaphore() async throws {
        try await SchoolService.run { school in
            let setup = try Self.setUp(school)
            let provider = setup.provider
            #expect(Self.open(provider) == nil)

            /// Close the provider
            try provider.close()

            let opened = DispatchSemaphore( value: 0 )
            let gate = DispatchSemaphore( value: 0 )
            nonisolated(unsafe) var printed: [String] = []
            provider.open( completionHandler: { ( _ error: OfflineODataError? ) -> Void in
                gate.wait()
                if( error == nil ) {
                    /// Do whatever is needed after the store is successfully opened. This can be as simple as printing a message.
                    printed.append( "Store is successfully opened" )
                } else {
                    /// Do whatever is needed if opening store is failed. This can be as simple as printing a message.
                    printed.append( "Store open failed" )
                }
                opened.signal()
            } )
            // The call has returned while its handler still waits.
            gate.signal()
            opened.wait()
            #expect(printed == ["Store is successfully opened"])
            try provider.close()
            #expect(setup.delegate.states.contains(":opening:initializing:fileDownloading:initialCommunication"))
            #expect(setup.delegate.states.last == ":closed")
        }
    }

    /// The sample of reading; returns the numbers of the teachers.
    private static func readTeachers(_ service: DataService) throws -> [Int] {
        Teachers.id = service.entitySet( withName: "Teachers" ).entityType.keyProperty( name: "ID" )

        let teachers = try service.teachers( query: DataQuery().orderBy( Teachers.id, .descending ) )
        // Print teachers just retrieved (the document misspells the list here)
        var keys: [Int] = []
        for teacher in teachers {
            /// Print information of the teacher.
            keys.append( Teachers.id.intValue( from: teacher ) )
        }
        return keys
    }

    /// OFF-003, OFF-019
    @Test func teachersAreReadByTypedQuery() async throws {
        try await SchoolService.run { school in
            let setup = try Self.setUp(school)
            #expect(Self.open(setup.provider) == nil)
            school.service.stop()
            #expect(try Self.readTeachers(setup.service) == [3, 2, 1])
            try setup.provider.close()
        }
    }

    /// The sample of creating entities with the dynamic API.
    private static func createLocals(_ service: DataService) throws -> (EntitySet, EntitySet) {
        let s_Students: EntitySet = service.entitySet( withName: "Students" )
        let t_Students: EntityType = s_Students.entityType

        /// Create a new student and a new teacher locally
        let new_Student = EntityValue.ofType( t_Students ).inSet(s_Students)

        // The document says t_Student here.
        t_Students.property( withName: "NAME" ).setStringValue( in: new_Student, to: "Jacky" )
        t_Students.keyProperty( name: "ID" ).setIntValue( in: new_Student, to: 999 )

        try service.createEntity( new_Student )

        let s_Teachers: EntitySet = service.entitySet( withName: "Teachers" )
        let t_Teachers: EntityType = s_Teachers.entityType

        let new_Teacher = EntityValue.ofType( t_Teachers).inSet(s_Teachers)
        t_Teachers.property(withName: "NAME").setStringValue( in: new_Teacher, to: "Smith" )
        t_Teachers.property(withName: "ID").setIntValue( in: new_Teacher, to: 888 )
        try service.createEntity(new_Teacher)
        return (s_Students, s_Teachers)
    }

    /// OFF-020, OFF-022
    @Test func createdEntitiesAreLocalUntilTheyComeBack() async throws {
        try await SchoolService.run { school in
            let setup = try Self.setUp(school)
            #expect(Self.open(setup.provider) == nil)
            try Self.synchronise(school, setup)
            try setup.provider.close()
        }
    }

    /// The sample of creating, uploading and downloading.
    private static func synchronise(_ school: SchoolService, _ setup: Setup) throws {
        let (provider, service, teacherDQ) = (setup.provider, setup.service, setup.teacherDQ)
        let (s_Students, s_Teachers) = try Self.createLocals(service)

        /// Now we should have local student and local teacher.
        /// We can use Offline specific isLocal function to find local entities.
        /// See OfflineODataQueryFunction for more available functions.
        let localStudentsQuery = DataQuery().from( s_Students ).filter( OfflineODataQueryFunction.isLocal() )
        let localTeachersQuery = DataQuery().from( s_Teachers ).filter( OfflineODataQueryFunction.isLocal() )
        func locals() throws -> [[String]] {
            try [localStudentsQuery, localTeachersQuery].map { query in
                try service.executeQuery( query ).entityList().map {
                    $0.entityType.property( withName: "NAME" ).stringValue( from: $0 )
                }
            }
        }
        #expect(try locals() == [["Jacky"], ["Smith"]])

        let done = DispatchSemaphore( value: 0 )
        /// Upload local changes. After uploading we should still have local student and local teacher.
        provider.upload( completionHandler: { ( _ error: OfflineODataError? ) -> Void in
            if( error == nil ) {
                uploadCompletion( success: true, error: nil )
            } else {
                uploadCompletion( success: false, error: error )
            }
            done.signal()
        } )
        done.wait()
        #expect(try school.serviceRows("SELECT NAME FROM Students WHERE ID = 999") == [["Jacky"]])
        #expect(try locals() == [["Jacky"], ["Smith"]])

        /// Download Teachers subset. After this we should only have local student.
        provider.download( withSubset: [teacherDQ], completionHandler: { ( _ error: OfflineODataError? ) -> Void in
            if( error == nil ) {
                downloadCompletion( success: true, error: nil )
            } else {
                downloadCompletion( success: false, error: error )
            }
            done.signal()
        } )
        done.wait()
        #expect(try locals() == [["Jacky"], []])

        /// Download all. After this all entities would be non-local.
        provider.download( completionHandler: { ( _ error: OfflineODataError? ) -> Void in
            if( error == nil ) {
                downloadCompletion( success: true, error: nil )
            } else {
                downloadCompletion( success: false, error: error )
            }
            done.signal()
        } )
        done.wait()
        #expect(try locals() == [[], []])
    }

    /// OFF-028, OFF-029, OFF-031
    @Test func errorsAreReadAndDeleted() async throws {
        try await SchoolService.run { school in
            let setup = try Self.setUp(school)
            #expect(Self.open(setup.provider) == nil)
            try Self.handleErrors(school, setup)
            try setup.provider.close()
        }
    }

    /// The sample of errors, after changes that the service refuses.
    private static func handleErrors(_ school: SchoolService, _ setup: Setup) throws {
        let service = setup.service
        for note in try service.executeQuery( DataQuery().from( service.entitySet( withName: "Notes" ) ).top( 2 ) ).entityList() {
            note.entityType.property( withName: "BODY" ).setStringValue( in: note, to: "refused" )
            try service.updateEntity( note )
        }
        #expect(SchoolService.wait { setup.provider.upload( completionHandler: $0 ) } == nil)

        let s_Error: EntitySet = service.entitySet( withName: "ErrorArchive" )
        let np_AffectedEntity: Property = s_Error.entityType.property( withName: "AffectedEntity" )
        var errorList: EntityValueList = try service.executeQuery( DataQuery().selectAll().from( s_Error ) ).entityList()
        var handled = 0

        for error in errorList {
            let code = s_Error.entityType.property( withName: "Code" ).stringValue( from: error )
            let mesasge = s_Error.entityType.property( withName: "Message" ).stringValue( from: error )
            let body = s_Error.entityType.property( withName: "RequestBody" ).stringValue( from: error )

            /// Your code for handling error goes here
            #expect(!code.isEmpty && !mesasge.isEmpty && body.contains("refused"))

            // The document uses the call as a condition; it gives no value elsewhere.
            try service.loadProperty( np_AffectedEntity, into: error )
            if( np_AffectedEntity.optionalEntity( from: error ) != nil ) {
                let errorEntity = np_AffectedEntity.entityValue( from: error )
                let errorType = errorEntity.dataType as! StructureType;
                let pk = errorType.property( withName: "pk" ).intValue( from:  errorEntity )

                /// Your code for handling error entity goes here
                #expect(pk == handled + 1)
                #expect(errorType.property( withName: "BODY" ).stringValue( from: errorEntity ) == "refused")
                handled += 1
            }
        }
        #expect(handled == 2)

        /// Remove error
        let error = errorList.first()
        try service.deleteEntity( error )

        errorList = try service.executeQuery( DataQuery().from( s_Error ) ).entityList()
        #expect(errorList.length == 0)
        #expect(try school.storeRows("SELECT BODY FROM Notes WHERE pk < 3 ORDER BY pk", store: "sample") == [["first"], ["second"]])
        #expect(try school.storeRows("SELECT count(*) FROM _odata_request", store: "sample") == [["0"]])
    }

    /// The sample of events; returns what they say.
    private static func readEvents(_ service: DataService) throws -> [String] {
        var seen: [String] = []

        let s_EventLog: EntitySet = service.entitySet( withName: "EventLog" )
        let eventLogList: EntityValueList = try service.executeQuery( DataQuery().selectAll().from( s_EventLog ) ).entityList()

        for eventLog in eventLogList {
            let eventId = s_EventLog.entityType.property( withName: "ID" ).longValue( from: eventLog )
            let eventDetails = s_EventLog.entityType.property( withName: "Details" ).optionalString( from: eventLog )
            let eventType = s_EventLog.entityType.property( withName: "Type" ).stringValue( from: eventLog )
            let eventTime = s_EventLog.entityType.property( withName: "Time" ).dataValue( from:  eventLog ) as! GlobalDateTime

            /// Your code for handling event log goes here
            #expect(eventId > 0 && eventTime > GlobalDateTime.parse( "2020-01-01T00:00:00Z" )!)
            seen.append("\(eventType) \(eventDetails ?? "all")")
        }
        return seen
    }

    /// OFF-033
    @Test func eventsAreRead() async throws {
        try await SchoolService.run { school in
            let setup = try Self.setUp(school)
            #expect(Self.open(setup.provider) == nil)
            #expect(SchoolService.wait { setup.provider.upload( completionHandler: $0 ) } == nil)
            #expect(try Self.readEvents(setup.service) == ["Download all", "Upload all"])
            try setup.provider.close()
        }
    }

    /// OFF-037: all samples, one after the other on one store.
    @Test func theOverviewRunsAsAWhole() async throws {
        try await SchoolService.run { school in
            let setup = try Self.setUp(school)
            #expect(Self.open(setup.provider) == nil)
            #expect(try Self.readTeachers(setup.service) == [3, 2, 1])
            try Self.synchronise(school, setup)
            #expect(try Self.readTeachers(setup.service) == [888, 3, 2, 1])
            try Self.handleErrors(school, setup)
            #expect(
                try Self.readEvents(setup.service)
                    == ["Download all", "Upload all", "Download TeachersQuery", "Download all", "Upload all"])
            /// Close the provider
            try setup.provider.close()
            #expect(setup.delegate.states.last == ":closed")
            #expect(
                try school.serviceRows("SELECT NAME FROM Teachers ORDER BY ID")
                    == school.storeRows("SELECT NAME FROM Teachers ORDER BY ID", store: "sample"))
            #expect(
                try school.serviceRows("SELECT ID, NAME FROM Students WHERE ID > 100")
                    == school.storeRows("SELECT ID, NAME FROM Students WHERE ID > 100", store: "sample"))
        }
    }
}
