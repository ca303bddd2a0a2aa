import ArgumentParser
import Foundation
import ODataServer
import ODataWorld

/// `odata service password`: what a file of users keeps of a password.
struct PasswordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Print the hash of a password for the file of 'odata serve --access'.",
        discussion: """
            The password is a line of the standard input, so that neither the list of processes nor the history of the \
            shell shows it.
            """)

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard let line = readLine(strippingNewline: true), !line.isEmpty else {
            throw CommandError.badInput("password: expected a line on the standard input.")
        }
        let world = LiveWorld()
        let salt = (0..<2).flatMap { _ in
            let number = world.random()
            return (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        output.console.print(try PasswordHash(of: line, salt: salt).text)
    }
}
