import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataServer
import ODataSync
import ODataText
import ODataTransport
import SAPOData
import Synchronization
import Testing

/// Streams between the online provider and the companion service, over HTTP.
@Suite struct OnlineStreamTests {
    private func picture(_ fixture: OnlineFixture, _ set: EntitySet, _ id: Int64) throws
        -> EntityValue
    {
        try fixture.provider.executeQuery(DataQuery().from(set).withKey(fixture.key(id)))
            .requiredEntity()
    }

    private func parts(_ fixture: OnlineFixture) throws -> String? {
        try fixture.value("SELECT cast(count(*) AS TEXT) FROM _odata_stream_parts")
    }

    @Test func mediaGoUpAndDownInPartsAndAreGivenUpWithTheirEntity() async throws {
        try await PictureService.run { fixture, set in
            let content = PictureService.bytes(1_000_000)
            let stream = ByteStream.fromBinary(data: content)
            stream.mediaType = "image/png"
            let title = set.entityType.property(withName: "Title")
            let entity = EntityValue.ofType(set.entityType).inSet(set)
            title.setStringValue(in: entity, to: "Hill")
            try fixture.provider.createMedia(entity: entity, content: stream)
            #expect(
                fixture.requests.suffix(2) == ["POST /Pictures", "PATCH /Pictures(2)"])
            #expect(try fixture.value("SELECT Title FROM Pictures WHERE Id = 2") == "Hill")
            #expect(try parts(fixture) == "4")

            let found = try picture(fixture, set, 2)
            #expect(found.mediaStream.mediaType == "image/png")
            let tag = try #require(found.mediaStream.entityTag)
            let down = try fixture.provider.downloadMedia(entity: found)
            #expect(down.mediaType == "image/png" && down.entityTag == tag)
            #expect(try down.readAndClose() == content)

            let other = PictureService.bytes(300_000, seed: 2)
            try fixture.provider.uploadMedia(
                entity: found, content: ByteStream.fromBinary(data: other))
            #expect(found.mediaStream.entityTag != tag)
            #expect(try fixture.provider.downloadMedia(entity: found).readAndClose() == other)
            #expect(try parts(fixture) == "2")
            try fixture.provider.deleteEntity(try picture(fixture, set, 2))
            #expect(try parts(fixture) == "0")
        }
    }

    @Test func bytesInARowAreAStreamToo() async throws {
        try await PictureService.run { fixture, set in
            let found = try picture(fixture, set, 1)
            let down = try fixture.provider.downloadMedia(entity: found)
            #expect(try down.readAndClose() == Data([1, 2, 3, 4]))
        }
    }

    @Test func streamPropertiesAreReadReplacedAndDeleted() async throws {
        try await PictureService.run { fixture, set in
            let thumb = set.entityType.property(withName: "Thumb")
            let found = try picture(fixture, set, 1)
            let link = thumb.streamLink(from: found)
            #expect(link.entityTag == nil)
            try fixture.provider.uploadStream(
                entity: found, link: link, content: CharStream.fromString("small"))
            let again = thumb.streamLink(from: try picture(fixture, set, 1))
            #expect(again.mediaType == "text/plain;charset=utf-8")
            #expect(again.entityTag == link.entityTag)
            let down = try fixture.provider.downloadStream(entity: found, link: again)
            #expect(try down.readAndClose() == Data("small".utf8))
            try fixture.provider.deleteStream(entity: found, link: again)
            let gone = try fixture.provider.downloadStream(entity: found, link: again)
            #expect(try gone.readAndClose().isEmpty)
        }
    }

    @Test func contentThatChangedInTheMeantimeIsNotOverwritten() async throws {
        try await PictureService.run { fixture, set in
            let mine = try picture(fixture, set, 1)
            let theirs = try picture(fixture, set, 1)
            try fixture.provider.uploadMedia(
                entity: theirs, content: ByteStream.fromBinary(data: Data([9])))
            let error = #expect(throws: DataServiceError.self) {
                try fixture.provider.uploadMedia(
                    entity: mine, content: ByteStream.fromBinary(data: Data([8])))
            }
            #expect(error?.code == .service)
            #expect(error?.place?.path == "/Pictures/$value")
            #expect(error?.status == 412)
            #expect(try parts(fixture) == "1")
        }
    }

    @Test func aStreamOfUnknownLengthIsSentAndAFileToo() async throws {
        try await PictureService.run { fixture, set in
            let found = try picture(fixture, set, 1)
            let left = Mutex(20)
            let endless = ByteStream(source: {
                left.withLock { left in
                    left -= 1
                    return left < 0 ? nil : Array(repeating: UInt8(left), count: 50_000)
                }
            })
            try fixture.provider.uploadMedia(entity: found, content: endless)
            #expect(
                try fixture.provider.downloadMedia(entity: found).readAndClose().count == 1_000_000)
            let file = fixture.directory + "/picture.bin"
            try PictureService.bytes(600_000).write(to: URL(fileURLWithPath: file))
            try fixture.provider.uploadMedia(entity: found, content: ByteStream.fromFile(file))
            let down = try fixture.provider.downloadMedia(entity: found)
            #expect(try down.readAndClose() == PictureService.bytes(600_000))
        }
    }

    @Test func aDownloadGoesOnWhereTheConnectionBroke() async throws {
        try await PictureService.run { fixture, set in
            let content = PictureService.bytes(2_000_000)
            let found = try picture(fixture, set, 1)
            try fixture.provider.uploadMedia(
                entity: found, content: ByteStream.fromBinary(data: content))
            fixture.service.observer.setFaults { request, _ in
                request.method == "GET" && request.headers["Range"] == nil ? .cutAnswer : nil
            }
            let down = try fixture.provider.downloadMedia(entity: found)
            #expect(try down.readAndClose() == content)
            let gets = fixture.service.observer.requests.filter {
                $0.url.hasSuffix("$value") && $0.method == "GET"
            }
            #expect(gets.count == 2)
            #expect(gets.last?.headers["Range"]?.hasPrefix("bytes=") == true)
            #expect(
                gets.last?.headers["If-Range"]
                    == gets.last.map { _ in found.mediaStream.entityTag ?? "" })
        }
    }

    @Test func aDownloadOfContentThatWasReplacedDoesNotGoOn() async throws {
        let count = Mutex(0)
        let script = ScriptedService { request in
            let number = count.withLock {
                $0 += 1
                return $0
            }
            return ResponseMessage(
                status: request.headers["Range"] == nil ? 200 : 206,
                headers: ["ETag": "\"\(number)\"", "Content-Range": "bytes 2-3/4"],
                body: [1, 2, 3, 4])
        }
        let provider = OnlineODataProvider(
            serviceName: "Script", serviceRoot: "http://h/s",
            transport: FaultingTransport(script), folder: PrivateFolder(path: "/nowhere"))
        provider.serviceOptions.metadataText = OnlineWireTests.v4
        try provider.loadMetadata()
        let set = provider.metadata.entitySet(withName: "Items")
        let entity = EntityValue.ofType(set.entityType).inSet(set)
        set.entityType.property(withName: "Id").setIntValue(in: entity, to: 1)
        let down = try provider.downloadMedia(entity: entity)
        #expect(
            failure { try down.readAndClose() } == Failure(DataNetworkError.self, .network, "cut"))
        #expect(script.requests.count == 2)
    }

    /// Breaks every answer off after half of its body.
    private struct FaultingTransport: HTTPTransport {
        let script: ScriptedService

        init(_ script: ScriptedService) { self.script = script }

        func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
            Half(try script.respond(request))
        }

        private final class Half: HTTPAnswer {
            let status: Int
            let headers: HeaderFields
            private var body: [UInt8]

            init(_ message: ResponseMessage) {
                (status, headers) = (message.status, message.headers)
                body = Array(message.body.prefix(message.body.count / 2))
            }

            func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
                guard !body.isEmpty else { throw ODataError(.network, "cut") }
                defer { body = [] }
                buffer.copyBytes(from: body)
                return body.count
            }

            func close() {}
        }
    }

    @Test func rangesAreAnsweredAsAskedFor() async throws {
        try await PictureService.run { fixture, set in
            let found = try picture(fixture, set, 1)
            try fixture.provider.uploadMedia(
                entity: found, content: ByteStream.fromBinary(data: Data(0..<100)))
            // The service may end the connection of an upload; a read of the provider is repeated then.
            _ = try fixture.provider.executeQuery(DataQuery().from(set))
            let cases: [(String, Int, String?, Int)] = [
                ("bytes=0-9", 206, "bytes 0-9/100", 10), ("bytes=90-", 206, "bytes 90-99/100", 10),
                ("bytes=-5", 206, "bytes 95-99/100", 5),
                ("bytes=50-500", 206, "bytes 50-99/100", 50),
                ("bytes=100-", 416, "bytes */100", -1), ("lines=1-2", 200, nil, 100),
            ]
            for (range, status, content, count) in cases {
                let answer = try fixture.provider.connection.exchange(
                    RequestMessage(
                        method: "GET", url: "Pictures(1)/$value", headers: ["Range": range]))
                #expect(answer.status == status, "\(range)")
                #expect(answer.headers["Content-Range"] == content, "\(range)")
                if count >= 0 { #expect(answer.body.count == count, "\(range)") }
            }
        }
    }

    @Test func aDeltaNamesEntitiesWithNewContentAndTheirTagStays() async throws {
        try await PictureService.run { fixture, set in
            let query = DataQuery().from(set)
            query.trackChanges = true
            let list = try fixture.provider.executeQuery(query).entityList()
            let found = list[0]
            try fixture.provider.uploadMedia(
                entity: found, content: ByteStream.fromBinary(data: Data([7])))
            let link = try #require(list.deltaLink)
            let later = DataQuery().from(set)
            later.url = link
            let changed = try fixture.provider.executeQuery(later).entityList()
            #expect(changed.count == 1)
            #expect(changed[0].entityTag == found.entityTag)
            #expect(changed[0].mediaStream.entityTag == found.mediaStream.entityTag)
        }
    }

    @Test func mediaEntitiesAreCreatedUnderTheirParent() async throws {
        try await PictureService.run { fixture, set in
            let service = DataService(provider: fixture.provider)
            let albums = fixture.provider.metadata.entitySet(withName: "Albums")
            let album = try fixture.provider.executeQuery(
                DataQuery().from(albums).withKey(fixture.key(1))
            ).requiredEntity()
            let entity = EntityValue.ofType(set.entityType).inSet(set)
            try service.createRelatedMedia(
                entity: entity, content: ByteStream.fromBinary(data: Data([1])), parent: album,
                property: albums.entityType.property(withName: "Pictures"))
            #expect(fixture.requests.last == "POST /Albums(1)/Pictures")
            #expect(
                try fixture.value("SELECT cast(AlbumId AS TEXT) FROM Pictures WHERE Id = 2") == "1")
        }
    }
}
