import ArgumentParser
import Foundation
import ODataWorld
import Synchronization

/// The `odata` command as a function: arguments in, exit status out.
public enum CommandLineProgram {
    /// Runs the command and returns its status: 0, 1 for a failed operation (results that nobody took included), 2 for
    /// bad input, 130 and 143 where the command was interrupted or told to end (128 and the number of the signal).
    ///
    /// The work happens on a thread of its own, because every call of the library blocks.
    public static func run(_ arguments: [String]) -> Int32 {
        StandardStream.outliveReaders()
        return onOwnThread { delivered(status(of: arguments)) }
    }

    /// Runs `body` on a thread made for it and waits for the result: the one bridge from the caller's thread to
    /// calls that block.
    package static func onOwnThread<Result: Sendable>(
        _ body: @escaping @Sendable () -> Result
    ) -> Result {
        let box = ResultBox<Result>()
        LiveWorld().startWorker("odata") { box.set(body()) }.join()
        return box.value ?? body()
    }

    /// The status, unless the results of a successful command could not be written.
    private static func delivered(_ status: Int32) -> Int32 {
        guard status == 0, StandardStream.output.failure != nil else { return status }
        if let complaint = StandardStream.output.complaint { Console().note("odata: " + complaint) }
        return 1
    }

    private static func status(of arguments: [String]) -> Int32 {
        var command: any ParsableCommand
        do {
            let arguments = try ServeSettings.expanded(
                arguments, environment: ProcessInfo.processInfo.environment)
            command = try RootCommand.parseAsRoot(arguments)
        } catch let error as CommandError {
            Console().note("odata: " + error.description)
            return error.status
        } catch {
            return report(parsing: error)
        }
        do {
            try command.run()
            return 0
        } catch let code as ExitCode {
            return code.rawValue
        } catch  where RootCommand.exitCode(for: error) == .success || error is ValidationError {
            return report(parsing: error)
        } catch {
            let failure = CommandError(error)
            Console().note("odata: " + failure.description)
            return failure.status
        }
    }

    /// Help and version are results; everything else about arguments is bad input.
    private static func report(parsing error: any Error) -> Int32 {
        let message = RootCommand.fullMessage(for: error)
        if RootCommand.exitCode(for: error) == .success {
            Console().print(message)
            return 0
        }
        Console().note(message)
        return 2
    }
}

/// Holds what the worker returned until the caller takes it.
private final class ResultBox<Result: Sendable>: Sendable {
    private let result = Mutex<Result?>(nil)

    var value: Result? { result.withLock { $0 } }

    func set(_ value: Result) { result.withLock { $0 = value } }
}
