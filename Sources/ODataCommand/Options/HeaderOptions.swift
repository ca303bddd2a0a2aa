import ArgumentParser
import Foundation

/// The headers that go with every request to a service.
///
/// Arguments of a process are seen by everyone on the machine; files and the environment are not.
struct HeaderOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A header to send with every request, as 'Name: value'; may be repeated. Secrets belong in --header-file.",
            valueName: "header"))
    var header: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with headers to send with every request, each on a line as 'Name: value'; may be repeated.",
            valueName: "file"),
        completion: .file())
    var headerFile: [String] = []

    /// What the environment, the files and the arguments say; of one name, the later counts in this order.
    ///
    /// - Throws: bad input that names the place, never what stands there.
    func fields(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> [HeaderArgument] {
        var fields = try HeaderArgument.all(in: environment)
        for file in headerFile { fields += try HeaderArgument.all(inFile: file) }
        return try fields + header.map { try HeaderArgument($0, from: "--header") }
    }
}

/// A header as the caller gives it.
struct HeaderArgument {
    var name: String
    var value: String

    /// - Parameter place: what is named where the text is no header.
    init(_ text: String, from place: String) throws {
        guard let colon = text.firstIndex(of: ":") else {
            throw CommandError.badInput("\(place): expected 'Name: value', found no colon.")
        }
        try self.init(
            name: text[..<colon].trimmingCharacters(in: .whitespaces),
            value: text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces),
            from: place)
    }

    private init(name: String, value: String, from place: String) throws {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
            throw CommandError.badInput("\(place): expected the name of a header.")
        }
        guard value.unicodeScalars.allSatisfy({ $0 == "\t" || $0.value >= 32 && $0.value != 127 })
        else {
            throw CommandError.badInput(
                "\(place): expected a value on one line, found control characters.")
        }
        (self.name, self.value) = (name, value)
    }

    private static let prefix = "ODATA_HEADER_"

    /// `ODATA_HEADER_X_API_KEY` is the header `X-API-KEY`; an empty value is none.
    static func all(in environment: [String: String]) throws -> [HeaderArgument] {
        try environment.sorted { $0.key < $1.key }.compactMap {
            variable, value -> HeaderArgument? in
            guard variable.hasPrefix(prefix), !value.isEmpty else { return nil }
            return try HeaderArgument(
                name: String(variable.dropFirst(prefix.count)).replacing("_", with: "-"),
                value: value.trimmingCharacters(in: .whitespaces), from: variable)
        }
    }

    /// A header on each line; empty lines and those that begin with `#` do not count.
    static func all(inFile path: String) throws -> [HeaderArgument] {
        var text = try InputFile.text(path)[...]
        if text.first == "\u{FEFF}" { text = text.dropFirst() }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return try lines.enumerated().compactMap { index, line -> HeaderArgument? in
            guard !line.allSatisfy(\.isWhitespace), line.first != "#" else { return nil }
            return try HeaderArgument(String(line), from: "\(path), line \(index + 1)")
        }
    }

    /// The characters of a token (RFC 9110, section 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
