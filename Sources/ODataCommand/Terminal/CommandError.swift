import ODataClasses
import ODataQuery
import ODataText

/// A failure that ends the command, with the status the shell gets: 2 for bad input, 1 for a failed operation,
/// 128 and its number for a signal, 124 for a time limit.
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

    /// The command was asked to end before the operation was through.
    package static func interrupted(_ message: String, status: Int32) -> CommandError {
        CommandError(status: status, description: message)
    }

    /// Whether the command was asked to end, or its time was over.
    package var isInterruption: Bool { status > 128 || status == TimeLimit.status }

    /// The status and sentence for any error.
    package init(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as ODataError:
            let isInput = Self.inputCodes.contains(error.code)
            self.init(status: isInput ? 2 : 1, description: error.description)
        case let error as ErrorBase:
            self.init(status: Self.isInput(error) ? 2 : 1, description: Self.sentence(error))
        default: self.init(status: 1, description: "\(error)")
        }
    }

    /// Runs `body`; what it refuses counts as a failed operation, whatever kind of error says so.
    package static func operation<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as CommandError {
            throw error
        } catch {
            throw failed(CommandError(error).description)
        }
    }

    /// Runs `body`, a failed operation where it fails, unless somebody asked for the end meanwhile: then that is what
    /// became of it, whether `body` came to its own end or not, and nothing goes on behind it.
    ///
    /// - Parameters:
    ///   - status: the status of a command that was asked to end; nil when it was not.
    ///   - sentence: what it says then beside its status.
    package static func stoppable<Result>(
        _ status: () -> Int32?,
        saying sentence: @autoclosure () -> String =
            "The command was asked to end; what was done stays.",
        _ body: () throws -> Result
    ) throws -> Result {
        let result: Result
        do {
            result = try operation(body)
        } catch {
            guard let status = status() else { throw error }
            let isTimeLimit = status == TimeLimit.status
            throw interrupted(
                isTimeLimit ? sentence() : CommandError(error).description, status: status)
        }
        guard let status = status() else { return result }
        throw interrupted(sentence(), status: status)
    }

    private init(status: Int32, description: String) {
        self.status = status
        self.description = description
    }

    private static func isInput(_ error: ErrorBase) -> Bool {
        switch error {
        case is DataQueryError, is DataFormatError, is DataSchemaError, is UsageError: true
        case let error as DataServiceError: error.status == 400 && error.response == nil
        default: false
        }
    }

    private static func sentence(_ error: ErrorBase) -> String {
        var text = error.toString()
        if let error = error as? DataServiceError, let response = error.response?.toString(),
            !text.contains(response)
        {
            text += " (\(response))"
        }
        return text
    }

    private static let inputCodes: Set<ODataError.Code> = [
        .malformedText, .invalidQuery, .invalidMetadata, .invalidValue, .unknownName, .usage,
        .invalidPayload,
    ]
}
