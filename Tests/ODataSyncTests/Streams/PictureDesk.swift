import Foundation
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import WorkplaceFixture

/// A service of pictures beside the sample, and a provider that keeps them: what the tests of streams work on.
struct PictureDesk {
    static let sql = """
        CREATE TABLE Pictures (Id INTEGER PRIMARY KEY, Title TEXT, Content MEDIA, Thumb STREAM);
        INSERT INTO Pictures (Id, Title, Content, Thumb) VALUES
            (1, 'Lake', x'01020304', x'aa'), (2, 'Hill', x'0506', NULL), (3, 'Sea', NULL, x'bbcc');
        """

    let place: ServiceWorkplace

    /// Runs a test with a provider that is open and has downloaded the pictures.
    static func run(
        downloads: Bool = true, adjust: @escaping @Sendable (CloudSyncProvider) -> Void = { _ in },
        _ body: @escaping @Sendable (PictureDesk) throws -> Void
    ) async throws {
        try await ServiceWorkplace.run(scale: 20, sql: sql, adjust: { $0.workerThreads = 16 }) {
            place in
            let desk = PictureDesk(place: place)
            adjust(place.sync)
            try place.sync.open()
            place.sync.downloadInGroup("pictures", place.set("Pictures"))
            if downloads {
                try place.sync.download(["pictures"])
                place.observer.forget()
            }
            try body(desk)
        }
    }

    var sync: CloudSyncProvider { place.sync }
    var pictures: EntitySet { place.set("Pictures") }
    var thumb: Property { place.property("Pictures", "Thumb") }
    var title: Property { place.property("Pictures", "Title") }

    func picture(_ id: Int) throws -> EntityValue { try place.entity("Pictures", "Id eq \(id)") }

    func newPicture(_ title: String) -> EntityValue {
        let entity = EntityValue.ofType(pictures.entityType).inSet(pictures)
        self.title.setStringValue(in: entity, to: title)
        return entity
    }

    // MARK: Calls without the arguments that are mostly not given

    func create(_ entity: EntityValue, _ content: StreamBase) throws {
        try sync.createMedia(
            entity: entity, content: content, headers: HTTPHeaders(), options: RequestOptions())
    }

    func put(_ id: Int, _ content: Data, type: String? = nil) throws {
        let stream = ByteStream.fromBinary(data: content)
        stream.mediaType = type
        try sync.uploadMedia(
            entity: try picture(id), content: stream, headers: HTTPHeaders(),
            options: RequestOptions())
    }

    func putThumb(_ id: Int, _ content: Data) throws {
        let entity = try picture(id)
        try sync.uploadStream(
            entity: entity, link: thumb.streamLink(from: entity),
            content: ByteStream.fromBinary(data: content), headers: HTTPHeaders(),
            options: RequestOptions())
    }

    func deleteThumb(_ id: Int) throws {
        let entity = try picture(id)
        try sync.deleteStream(
            entity: entity, link: thumb.streamLink(from: entity), headers: HTTPHeaders(),
            options: RequestOptions())
    }

    func media(_ entity: EntityValue) throws -> Data {
        try sync.downloadMedia(
            entity: entity, headers: HTTPHeaders(), options: RequestOptions()
        ).readAndClose()
    }

    func media(_ id: Int) throws -> Data { try media(try picture(id)) }

    func thumb(_ id: Int) throws -> Data {
        let entity = try picture(id)
        return try sync.downloadStream(
            entity: entity, link: thumb.streamLink(from: entity), headers: HTTPHeaders(),
            options: RequestOptions()
        ).readAndClose()
    }

    /// What the service has in the media stream of a picture, read without the provider under test.
    func atService(_ id: Int, _ path: String = "$value") throws -> Data {
        let online = place.sync.onlineProvider
        let query = DataQuery().from(online.metadata.entitySet(withName: "Pictures"))
        query.url = "Pictures?$filter=Id eq \(id)"
        let entity = try online.executeQuery(query).requiredEntity()
        guard path == "$value" else {
            let link = online.metadata.entitySet(withName: "Pictures").entityType
                .property(withName: path).streamLink(from: entity)
            return try online.downloadStream(entity: entity, link: link).readAndClose()
        }
        return try online.downloadMedia(entity: entity).readAndClose()
    }

    var storedParts: Int {
        get throws {
            Int(try place.storeText("SELECT count(*) FROM _odata_stream_part") ?? "") ?? -1
        }
    }

    static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
        var generator = SeededGenerator(seed: seed)
        return Data(generator.bytes(count))
    }
}
