import Foundation
import ODataTesting
import ODataText
import ODataWorld
import Testing

@testable import ODataSync

@Suite struct BytePipeTests {
    /// Everything that a reader gets while a writer hands over `parts`, the seed deciding who runs.
    private func passed(_ parts: [[UInt8]], limit: Int, seed: UInt64) async throws -> [UInt8] {
        try await onOwnThread {
            let world = SimulatedWorld(seed: seed)
            let pipe = BytePipe(limit: limit, world: world)
            let writer = world.startWorker("writer") {
                for part in parts {
                    guard pipe.write(part) else { return }
                    world.checkpoint("written")
                }
                pipe.finish()
            }
            var bytes: [UInt8] = []
            while true {
                let part = try [UInt8](unsafeUninitializedCapacity: 5) { buffer, count in
                    count = try pipe.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                if part.isEmpty { break }
                bytes += part
                world.checkpoint("read")
            }
            writer.join()
            return bytes
        }
    }

    @Test func bytesArriveInOrderHoweverTheWorkersAlternate() async throws {
        let parts = (0..<20).map { part in [UInt8](repeating: UInt8(part), count: part % 7) }
        for seed in 0..<20 {
            let bytes = try await passed(parts, limit: 8, seed: UInt64(seed))
            #expect(bytes == parts.flatMap { $0 })
        }
    }

    @Test func aFailureComesAfterTheBytesBeforeIt() async throws {
        let (bytes, code) = try await onOwnThread {
            let pipe = BytePipe(limit: 100, world: LiveWorld())
            _ = pipe.write([1, 2, 3])
            pipe.finish(ODataError(.network, "cut"))
            let read = {
                try [UInt8](unsafeUninitializedCapacity: 10) { buffer, count in
                    count = try pipe.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
            }
            let bytes = try read()
            do {
                _ = try read()
                return (bytes, ODataError.Code("none"))
            } catch let error as ODataError { return (bytes, error.code) }
        }
        #expect(bytes == [1, 2, 3])
        #expect(code == .network)
    }

    @Test func closingLetsABlockedWriterGo() async throws {
        let isWanted = try await onOwnThread {
            let world = SimulatedWorld(seed: 4)
            let pipe = BytePipe(limit: 1, world: world)
            _ = pipe.write([1])
            let answers = Answers()
            let writer = world.startWorker("writer") { answers.isWanted = pipe.write([2]) }
            world.checkpoint("let the writer block")
            pipe.close()
            writer.join()
            return answers.isWanted
        }
        #expect(isWanted == false)
    }
}

private final class Answers: @unchecked Sendable {  // written by the holder of the baton only
    var isWanted: Bool?
}
