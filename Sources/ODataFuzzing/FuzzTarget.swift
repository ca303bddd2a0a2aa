import ODataText

/// Readers of untrusted bytes, each with what must hold for every input: the package in `Fuzz/` runs them under
/// libFuzzer, and a test runs them over its seeds and mutations of these.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Metadata documents; what was read is written and read again.
    case csdl = "CSDL"
    /// JSON texts and entity payloads, whole and in pieces.
    case json = "JSON"
    /// Relative URLs; what was read is written and read again.
    case url = "URL"
    /// Multipart and JSON batches, as requests and as responses, and the header fields in them.
    case multipart = "Multipart"
    /// Atom feeds, entries and values, and the other documents of the service in XML.
    case atom = "Atom"

    /// Reads the bytes. Refusing them is fine; anything that breaks a promise traps.
    public func run(_ bytes: [UInt8]) {
        do {
            switch self {
            case .csdl: try Self.readCSDL(bytes)
            case .json: Self.readJSON(bytes)
            case .url: Self.readURL(bytes)
            case .multipart: Self.readBatch(bytes)
            case .atom: Self.readAtom(bytes)
            }
        } catch let error as ODataError {
            precondition(!error.message.isEmpty, "Expected an error that says something.")
        } catch {
            preconditionFailure("Expected an ODataError, found \(type(of: error)).")
        }
    }

    /// As ``run(_:)``, for the entry point of libFuzzer.
    public func run(_ data: UnsafePointer<UInt8>?, _ size: Int) {
        run(Array(UnsafeBufferPointer(start: data, count: data == nil ? 0 : size)))
    }

    /// Runs `body`, whose errors must be typed.
    static func tolerating(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            precondition(error is ODataError, "Expected an ODataError, found \(type(of: error)).")
        }
    }
}
