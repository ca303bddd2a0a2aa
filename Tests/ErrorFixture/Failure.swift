import ODataText

/// What tests compare of an error: its kind, its code, its HTTP status and its place.
///
/// Where one of two errors has no place, what they say is compared instead.
package struct Failure: Sendable, CustomStringConvertible {
    /// The class or type of the error.
    package let kind: String
    /// The name of its code; empty for an error that has none.
    package let code: String
    /// Where it was met; nil where it does not say.
    package let place: String?
    /// The HTTP status; 0 where none applies.
    package let status: Int
    /// What it says, without its place.
    package let sentence: String?

    package init(kind: String, code: String, place: String?, status: Int, sentence: String?) {
        self.kind = kind
        self.code = code
        self.place = place
        self.status = status
        self.sentence = sentence
    }

    /// The failure of an `ODataError` that says where it was met.
    package init(_ code: ODataError.Code, at location: ODataError.Location, status: Int = 0) {
        self.init(
            kind: "ODataError", code: code.description, place: location.description, status: status,
            sentence: nil)
    }

    /// The failure of an `ODataError` without a place.
    package init(_ code: ODataError.Code, _ sentence: String, status: Int = 0) {
        self.init(
            kind: "ODataError", code: code.description, place: nil, status: status,
            sentence: sentence)
    }

    package var description: String {
        "\(kind).\(code) (\(status)) at \(place ?? "no place"): \(sentence ?? "")"
    }
}

extension Failure: Equatable {
    package static func == (one: Failure, other: Failure) -> Bool {
        guard (one.kind, one.code, one.status) == (other.kind, other.code, other.status) else {
            return false
        }
        if let place = one.place, let otherPlace = other.place { return place == otherPlace }
        return one.sentence == other.sentence
    }
}

/// An error that tests compare by more than its type.
package protocol ComparedError: Error {
    /// What is compared of it.
    var failure: Failure { get }
}

extension ODataError: ComparedError {
    package var failure: Failure {
        Failure(
            kind: "ODataError", code: code.description, place: location?.description,
            status: status, sentence: message)
    }
}

/// What `body` throws; nil when it throws nothing.
package func failure<Result>(_ body: () throws -> Result) -> Failure? {
    do {
        _ = try body()
        return nil
    } catch {
        return compared(error)
    }
}

/// What `body` throws; nil when it throws nothing.
package func failure<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async -> Failure? {
    do {
        _ = try await body()
        return nil
    } catch {
        return compared(error)
    }
}

private func compared(_ error: any Error) -> Failure {
    if let error = error as? any ComparedError { return error.failure }
    return Failure(
        kind: "\(type(of: error))", code: "", place: nil, status: 0, sentence: "\(error)")
}
