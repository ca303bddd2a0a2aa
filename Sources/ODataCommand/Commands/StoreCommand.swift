import ArgumentParser
import Foundation
import SAPOData
import ODataSQLite
import ODataStore
import ODataText
import ODataWorld

/// `odata store`: the file itself, whether it opens or not.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Check and repair the file of a store.",
        usage: "odata store check|repair <file> [--key-file <file>]",
        discussion: """
            check reads every page and index; the status is 1 when something is damaged. repair \
            makes damaged indexes again, or else saves everything readable into a new file that \
            takes the old one's place: the queue first of all. Lost data comes with the next \
            'odata download'. Nobody may have the store open meanwhile.
            """)

    enum Action: String, ExpressibleByArgument, CaseIterable {
        case check, repair
    }

    @Argument(help: "check or repair.")
    var action: Action

    @Argument(help: "The store: one SQLite file.", completion: .file())
    var file: String

    @OptionGroup var sealing: KeyOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard FileManager.default.fileExists(atPath: file) else {
            throw CommandError.badInput("\(file): no such file.")
        }
        let key = try sealing.key().map { try StoreKey($0) }
        do {
            switch action {
            case .check: try check(key)
            case .repair: try repair(key)
            }
        } catch let error as ODataError where error.underlying is StoreKeyError {
            throw CommandError.badInput(error.description)
        }
    }

    private func check(_ key: StoreKey?) throws {
        let check = try StoreCheck(path: file, key: key)
        if output.console.isJSON {
            var object = JSONObject()
            object["intact"] = .boolean(check.isIntact)
            object["problems"] = .array(check.problems.map { .string($0) })
            output.console.print(JSONValue.object(object).text)
        } else {
            for line in check.isIntact ? ["ok"] : check.problems { output.console.print(line) }
        }
        if !check.isIntact {
            throw CommandError.failed("\(file): damaged; 'odata store repair' saves what it can.")
        }
    }

    private func repair(_ key: StoreKey?) throws {
        let report = try StoreRepair(path: file, key: key, world: LiveWorld()).run()
        let console = output.console
        guard !console.isJSON else { return console.print(Self.json(report).text) }
        switch report.extent {
        case .none: return console.print("nothing was damaged")
        case .indexes: return console.print("indexes were made again; nothing is lost")
        case .rebuilt: console.print("rebuilt; \(report.keptRequests) requests are in the queue")
        }
        for table in report.tables {
            console.print(
                "\(table.name): \(table.damagedPages) pages damaged, \(table.kept) rows kept,"
                    + " at least \(table.lost) lost")
        }
        for (what, ids) in Self.lists(report) where !ids.isEmpty {
            console.print("\(what) requests: \(ids.map(String.init).joined(separator: ", "))")
        }
        if report.rowsWithoutRequest > 0 {
            console.print("unsent changes lost of \(report.rowsWithoutRequest) entities")
        }
        if !report.incompleteSets.isEmpty {
            console.print("to be downloaded: \(report.incompleteSets.joined(separator: ", "))")
        }
    }

    private static func lists(_ report: RepairReport) -> [(String, [Int64])] {
        [
            ("doubtful", report.doubtfulRequests), ("keyless", report.keylessRequests),
            ("unreadable", report.unreadableRequests),
        ]
    }

    private static func json(_ report: RepairReport) -> JSONValue {
        func number(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }
        var object = JSONObject()
        object["extent"] = .string(report.extent.rawValue)
        object["keptRequests"] = number(report.keptRequests)
        object["rowsWithoutRequest"] = number(report.rowsWithoutRequest)
        for (name, ids) in lists(report) { object[name] = .array(ids.map { number($0) }) }
        object["incompleteSets"] = .array(report.incompleteSets.map { .string($0) })
        object["tables"] = .array(
            report.tables.map { table in
                var entry = JSONObject()
                entry["name"] = .string(table.name)
                entry["kept"] = number(table.kept)
                entry["lost"] = number(table.lost)
                entry["damagedPages"] = number(table.damagedPages)
                return .object(entry)
            })
        return .object(object)
    }
}
