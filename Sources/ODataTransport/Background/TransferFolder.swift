import Foundation
import ODataQuery
import ODataText

/// The files in which transfers outlive a process: for each name a mark that it was begun, the body that it sends, and how it ended.
/// That is the head of the answer, beside its body, which was whole when the head was written, or the step at which it failed.
///
/// The mark says which beginning under the name it is of, because what the system tells of an earlier one may come late.
package struct TransferFolder: Sendable {
    private enum Kind: String { case begun, sent, head, body }

    private let path: String

    /// - Throws: `storage` where the folder cannot be made.
    package init(path: String) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw ODataError(
                .storage, "Expected a folder for transfers in the background, found none.",
                underlying: error)
        }
    }

    private func file(_ name: String, _ kind: Kind) -> String {
        path + "/" + name + "." + kind.rawValue
    }

    /// Where the body of the answer goes before ``keep(status:headers:of:)``.
    package func body(of name: String) -> String { file(name, .body) }

    /// Where the body of the request stays as long as the transfer.
    package func sentBody(of name: String) -> String { file(name, .sent) }

    /// - Parameter nonce: tells this beginning from others under the same name.
    package func noteBeginning(of name: String, nonce: String = "") throws {
        try write(Array(nonce.utf8), file(name, .begun))
    }

    /// The beginning that the mark is of; nil without one.
    package func nonce(of name: String) -> String? {
        FileManager.default.contents(atPath: file(name, .begun)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    package func keep(status: Int, headers: HeaderFields, of name: String) throws {
        let lines = ["\(status)"] + headers.fields.map { "\($0.name): \($0.value)" }
        try write(Array(lines.joined(separator: "\n").utf8), file(name, .head))
    }

    package func keep(failure phase: NetworkFailure.Phase, of name: String) throws {
        try write(Array(phase.rawValue.utf8), file(name, .head))
    }

    package func state(of name: String) -> BackgroundState? {
        guard let head = FileManager.default.contents(atPath: file(name, .head)) else {
            let isBegun = FileManager.default.fileExists(atPath: file(name, .begun))
            return isBegun ? .running : nil
        }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\n")
        let first = lines.first.map(String.init) ?? ""
        guard let status = Int(first) else {
            return .failed(NetworkFailure.Phase(rawValue: first) ?? .wait)
        }
        var headers = HeaderFields()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers.append(name: String(line[..<colon]), value: String(value))
        }
        return .answered(status: status, headers: headers, body: file(name, .body))
    }

    package func names() -> Set<String> {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return Set(files.compactMap { $0.split(separator: ".").first.map(String.init) })
    }

    package func forget(_ name: String) {
        // The mark goes last: where it is gone, nothing else is there.
        for kind in [Kind.head, .body, .sent, .begun] {
            try? FileManager.default.removeItem(atPath: file(name, kind))
        }
    }

    private func write(_ bytes: [UInt8], _ file: String) throws {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw ODataError(
                .storage, "Expected room for a transfer in the background, found none.",
                underlying: error)
        }
    }
}
