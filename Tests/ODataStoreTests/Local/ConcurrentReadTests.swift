import Dispatch
import ErrorFixture
import Foundation
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore
import ODataText
import Synchronization
import Testing

/// Queries on several threads while the store is written to, closed and cleared.
@Suite struct ConcurrentReadTests {
    private static func run(
        _ count: Int, _ body: @escaping @Sendable (Int) throws -> Void
    ) -> [any Error] {
        let group = DispatchGroup()
        let errors = Mutex<[any Error]>([])
        for index in 0..<count {
            group.enter()
            Thread {
                do { try body(index) } catch { errors.withLock { $0.append(error) } }
                group.leave()
            }.start()
        }
        group.wait()
        return errors.withLock { $0 }
    }

    private static var everyone: Query {
        var query = Query(entitySet: "Customers")
        query.includesCount = true
        return query
    }

    @Test func aCountAndItsRowsAreOfOneStateWhileRowsAreWritten() throws {
        let fixture = try StoreFixture()
        let store = fixture.store
        let name = try fixture.value("Customer", ["Name": .text("Ada")])
        let stop = Atomic(false)
        let different = Mutex<[String]>([])
        let errors = Self.run(4) { index in
            if index == 0 {
                for id in 1...60 as ClosedRange<Int64> {
                    var value = name
                    value.slots[0] = .number(id)
                    try store.perform(.create(table: "Customers", value: value, binds: []))
                }
                stop.store(true, ordering: .releasing)
                return
            }
            var last = 0
            while !stop.load(ordering: .acquiring) {
                let page = try store.execute(Self.everyone) { $0 }
                if page.count != Int64(page.rowCount) || page.rowCount < last {
                    different.withLock { $0.append("\(page.count ?? -1) \(page.rowCount)") }
                }
                last = page.rowCount
            }
        }
        #expect(errors.isEmpty)
        #expect(different.withLock { $0 } == [])
        #expect(try store.execute(Self.everyone) { $0 }.rowCount == 60)
    }

    @Test(arguments: [false, true])
    func readsWhileTheStoreGoesGiveRowsOrSayThatItIsClosed(clears: Bool) throws {
        let fixture = try StoreFixture()
        for id in 1...20 as ClosedRange<Int64> {
            _ = try fixture.create("Customers", ["ID": .number(id), "Name": .text("Ada")])
        }
        let store = fixture.store
        let reads = Atomic(0)
        let errors = Self.run(4) { index in
            if index == 0 {
                while reads.load(ordering: .acquiring) < 30 { Thread.sleep(forTimeInterval: 0.001) }
                if clears { try store.clear() } else { try store.close() }
                return
            }
            while true {
                do {
                    let page = try store.execute(Self.everyone) { $0 }
                    guard page.rowCount == 20, page.count == 20 else {
                        throw ODataError(.storage, "Expected all rows, found \(page.rowCount).")
                    }
                    reads.add(1, ordering: .releasing)
                } catch let error as ODataError where error.code == .usage {
                    return
                }
            }
        }
        #expect(errors.isEmpty)
        #expect(FileManager.default.fileExists(atPath: fixture.path) == !clears)
        #expect(
            failure { try store.execute(Self.everyone) { $0 } }
                == Failure(.usage, at: .path(fixture.path)))
    }
}
