import Foundation
import ODataSQLite
import ODataStore
import ODataText
import ODataWorld

/// Opens a store as somebody who may only read it, reads, tries to change it, and reads again once its parent says so.
struct ReadOnlyChild {
    private let path: String
    private let key: StoreKey?

    init?(_ arguments: [String]) {
        guard arguments.count == 4, arguments[1] == "readonly" else { return nil }
        path = arguments[2]
        key = arguments[3] == "-" ? nil : try? StoreKey(arguments[3])
    }

    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    /// Modes of files mean nothing to the superuser.
    private static func becomeNobody() throws {
        #if os(Linux)
            guard getuid() == 0 else { return }
            guard setgroups(0, nil) == 0, setgid(65_534) == 0, setuid(65_534) == 0 else {
                throw CocoaError(.fileReadNoPermission)
            }
        #endif
    }

    private static func attempt(_ name: String, _ body: () throws -> String) {
        do {
            say(name + " " + (try body()))
        } catch let error as ODataError {
            say("\(name) refused: \(error.code) \(error.underlying is ReadOnlyStore)")
        } catch {
            say("\(name) failed: \(error)")
        }
    }

    func run() throws {
        try Self.becomeNobody()
        var configuration = LocalStore.Configuration()
        configuration.key = key
        var opened: LocalStore?
        Self.attempt("open") {
            opened = try LocalStore(
                path: path, world: LiveWorld(), configuration: configuration)
            return "well"
        }
        guard let store = opened else { return }
        let rows = { "\(try store.rowCounts()["WorkOrders"] ?? 0)" }
        Self.attempt("rows", rows)
        Self.attempt("change") {
            try store.setFlag(true, for: .pendingUpload)
            return "made"
        }
        Self.attempt("rows", rows)
        _ = readLine()
        Self.attempt("rows", rows)
        try store.close()
    }
}
