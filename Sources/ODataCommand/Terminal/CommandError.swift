import ODataText

/// A failure that ends the command, with the status the shell gets: 2 for bad input, 1 for a failed operation.
package struct CommandError: Error, CustomStringConvertible, Sendable {
    package let status: Int32
    package let description: String

    /// The caller gave something that cannot be understood.
    package static func badInput(_ message: String) -> CommandError {
        CommandError(status: 2, description: message)
    }

    /// The operation was understood but did not succeed.
    package static func failed(_ message: String) -> CommandError {
        CommandError(status: 1, description: message)
    }

    /// The status and sentence for any error.
    package init(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as ODataError:
            let isInput = Self.inputCodes.contains(error.code)
            self.init(status: isInput ? 2 : 1, description: error.description)
        default: self.init(status: 1, description: "\(error)")
        }
    }

    private init(status: Int32, description: String) {
        self.status = status
        self.description = description
    }

    private static let inputCodes: Set<ODataError.Code> = [
        .malformedText, .invalidQuery, .invalidMetadata, .invalidValue, .unknownName, .usage,
        .invalidPayload,
    ]
}
