import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import SAPOData
import Synchronization
import Testing
import WorkplaceFixture

/// A copy of the store on its way to where it is examined.
@Suite struct DatabaseCopyTests {
    private final class Told: Sendable {
        let bytes = Mutex<[(sent: Int64, of: Int64)]>([])
        let received = Mutex(0)
    }

    /// Sends a copy, and cancels it when so many notices have come.
    private static func send(
        _ place: ServiceWorkplace, cancelAt: Int = .max
    ) throws -> Told {
        let (told, token) = (Told(), CancelToken())
        place.observer.setFaults { request, _ in
            guard request.url.hasSuffix("$database") else { return nil }
            told.received.withLock { $0 = request.body.count }
            return .answer(ResponseMessage(status: 204))
        }
        let options = SyncOptions().cancelable(token).listen(
            ProgressListener { progress in
                guard progress.operation == .sendStore else { return }
                let count = told.bytes.withLock {
                    $0.append((progress.bytesSent, progress.byteCount))
                    return $0.count
                }
                if count == cancelAt { token.cancel() }
            })
        defer { place.observer.setFaults(nil) }
        do {
            try place.sync.uploadDatabaseFile(encryptionKey: nil, note: nil, options: options)
        } catch let error as DataNetworkError where cancelAt != .max {
            #expect(error.code == .cancelled)
        }
        return told
    }

    @Test("CSP-175 bytes told rise to the length")
    func bytesToldRiseToTheLength() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let told = try Self.send(place)
            let bytes = told.bytes.withLock { $0 }
            let length = Int64(told.received.withLock { $0 })
            #expect(length > 256 << 10 && bytes.allSatisfy { $0.of == length })
            #expect(bytes.map(\.sent) == bytes.map(\.sent).sorted())
            #expect(bytes.first?.sent == 0 && bytes.last?.sent == length)
            #expect(Set(bytes.map(\.sent)).count > 2)
        }
    }

    @Test("CSP-175 a cancelled transfer stops, and the store is unchanged")
    func aCancelledTransferStops() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let rows = try place.storeCount("WorkOrders")
            let told = try Self.send(place, cancelAt: 2)
            #expect(told.received.withLock { $0 } == 0)
            #expect(told.bytes.withLock { bytes in bytes.allSatisfy { $0.sent < $0.of } })
            #expect(try place.storeCount("WorkOrders") == rows)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
                    .allSatisfy { !$0.contains("copy") })
            _ = try Self.send(place)
        }
    }

    /// A name that begins with `$` refers to something in a batch only.
    @Test func aServiceWithoutAPlaceForCopiesSaysSo() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let error = #expect(throws: DataServiceError.self) {
                try place.sync.uploadDatabaseFile(
                    encryptionKey: nil, note: nil, options: SyncOptions())
            }
            #expect(error?.status == 404)
        }
    }
}
