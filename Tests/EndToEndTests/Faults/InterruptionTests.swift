import Foundation
import GRDB
import SAPOData
import ODataCommand
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import ODataTransport
import Synchronization
import Testing

/// Lets a number of requests through and then none, until it is mended.
final class CutTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let left = Mutex(Int.max)

    init(_ base: any HTTPTransport) { self.base = base }

    /// How many requests still get through.
    func cut(after requests: Int) { left.withLock { $0 = requests } }
    func mend() { cut(after: .max) }

    func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
        let isOpen = left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
        guard isOpen else { throw ODataError(.network, "The line is cut.") }
        return try base.send(request, options: options)
    }
}

@Suite struct InterruptionTests {
    @Test func aFirstDownloadGoesOnAtThePageWhereItWasCut() async throws {
        try await onOwnThread {
            var line: CutTransport?
            let place = try FaultPlace { base in
                let cut = CutTransport(base)
                line = cut
                return cut
            }
            let transport = try #require(line)
            let seen = place.service.observer
            try place.provider.open()
            var stored: Set<String> = []
            var rounds = 0
            // Each time three requests more, until it is whole; nothing that was stored is asked for again.
            while try !place.provider.hasInitialData(), rounds < 30 {
                rounds += 1
                seen.forget()
                transport.cut(after: 3)
                try? place.provider.download()
                transport.mend()
                let asked = Self.pages(seen.requests)
                #expect(stored.isDisjoint(with: asked))
                let resume = Set(
                    try place.storeRows("SELECT next_link FROM _odata_resume")
                        .compactMap { String.fromDatabaseValue($0[0]) }.map(Self.name))
                // What was asked for before a set's resume point is stored.
                for set in FaultTests.sets {
                    let pages = asked.filter { $0.hasPrefix(set + "?") }
                    stored.formUnion(pages.prefix { !resume.contains($0) })
                }
            }
            #expect(rounds > 2)
            #expect(stored.count >= 8)
            #expect(try place.provider.hasInitialData())
            let comparison = try place.comparison()
            #expect(comparison.differences == [])
            #expect(comparison.rowsCompared == 200)
            try place.close()
        }
    }

    /// The pages asked for by a skip token, in a batch or alone.
    private static func pages(_ requests: [ServiceObserver.Seen]) -> [String] {
        requests.map(\.url).filter { $0.contains("$skiptoken") }.map(name)
    }

    private static func name(_ url: String) -> String {
        let relative =
            url.hasPrefix(FaultPlace.root) ? url.dropFirst(FaultPlace.root.count) : url[...]
        return String(relative.drop { $0 == "/" })
    }
}
