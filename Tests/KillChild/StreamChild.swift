import Foundation
import SAPOData
import ODataModel
import ODataQuery
import ODataSyncPlan

/// Puts a long content into a store, reads it back, sends it, and prints what that took: `KillChild stream STORE URL MB`.
struct StreamChild {
    private let store: String
    private let provider: CloudSyncProvider
    private let bytes: Int

    /// Another store of the same service, which downloads what the first one sent.
    private let other: CloudSyncProvider

    init(_ arguments: [String]) {
        store = arguments[2]
        bytes = (Int(arguments[4]) ?? 1) << 20
        provider = CloudSyncProvider("Streams", store: store, url: arguments[3])
        other = CloudSyncProvider("Streams", store: store + ".other", url: arguments[3])
    }

    func run() throws {
        try provider.open()
        try provider.download(groups: [], options: SyncOptions.none)
        let picture = try Self.picture(provider)
        try provider.uploadMedia(
            entity: picture, content: looping(), headers: HTTPHeaders(), options: RequestOptions())
        try count(picture, "stored")
        try provider.upload(groups: [], options: SyncOptions.none)
        try other.open()
        try other.download(groups: [], options: SyncOptions.none)
        try count(try Self.picture(other), "downloaded", in: other)
        try other.close()
        // Another content in its place: the first is deleted in slices.
        try provider.uploadMedia(
            entity: picture, content: ByteStream.fromBinary(data: Data([1])),
            headers: HTTPHeaders(), options: RequestOptions())
        try provider.upload(groups: [], options: SyncOptions.none)
        try count(picture, "replaced")
        print("peak \(try Self.peakMemory())")
        print("log \(Self.size(store + "-wal"))")
        try provider.close()
    }

    private static func picture(_ provider: CloudSyncProvider) throws -> EntityValue {
        try provider.executeQuery(
            DataQuery().from(provider.metadata.entitySet(withName: "Pictures")),
            headers: HTTPHeaders(), options: RequestOptions()
        ).entityList()[0]
    }

    /// The same bytes over and over, as many as asked for.
    private func looping() -> ByteStream {
        let part = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var left = bytes
        return ByteStream(source: {
            guard left > 0 else { return nil }
            defer { left -= part.count }
            return left < part.count ? Array(part[..<left]) : part
        })
    }

    private func count(
        _ picture: EntityValue, _ name: String, in store: CloudSyncProvider? = nil
    ) throws {
        let stream = try (store ?? provider).downloadMedia(
            entity: picture, headers: HTTPHeaders(), options: RequestOptions())
        var count = 0
        while let part = try stream.readBinary(1 << 20) { count += part.count }
        print("\(name) \(count)")
    }

    /// VmHWM in kibibytes.
    private static func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }
}
