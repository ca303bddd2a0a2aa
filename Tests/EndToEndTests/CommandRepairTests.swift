import Foundation
import GRDB
import ODataTesting
import Testing

/// The command checks and repairs the file of a store.
@Suite struct CommandRepairTests {
    @Test func aDamagedStoreIsCheckedRepairedAndFilledAgain() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let sync = try Child.odata("sync", place.url, "--store", place.store)
            #expect(sync.status == 0, "\(sync.errors)")
            let change = try place.odata("update", "Sites(1)", #"{"Name":"kept"}"#)
            #expect(change.status == 0, "\(change.errors)")
            let good = try Child.odata("store", "check", place.store)
            #expect(good.status == 0 && good.output == "ok\n", "\(good.errors)")
            // The root of a table of entities is overwritten.
            let root = try DatabaseQueue(path: place.store).read {
                try Int.fetchOne(
                    $0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'WorkOrders'")
            }
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: place.store))
            try handle.seek(toOffset: UInt64(((root ?? 1) - 1) * 4096))
            try handle.write(contentsOf: [UInt8](repeating: 0xE7, count: 4096))
            try handle.close()
            let bad = try Child.odata("store", "check", place.store, "--json")
            #expect(bad.status == 1 && bad.output.contains(#""intact":false"#))
            let repair = try Child.odata("store", "repair", place.store, "--json")
            #expect(repair.status == 0, "\(repair.errors)")
            #expect(repair.output.contains(#""extent":"rebuilt","keptRequests":1"#))
            #expect(repair.output.contains(#""WorkOrders""#))
            let queue = try place.odata("queue", "export")
            #expect(queue.output.contains("kept"))
            let download = try place.odata("download")
            #expect(download.status == 0, "\(download.errors)")
            #expect(try place.odata("query", "WorkOrders/$count").output == "100\n")
            #expect(try Child.odata("store", "check", place.store).status == 0)
            #expect(try Child.odata("store", "check", place.store + "x").status == 2)
        }
    }
}
