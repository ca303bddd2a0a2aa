import ArgumentParser

/// `odata service`: what is known of a service, and what is done with the database of one while none runs.
struct ServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Show what is known of the service of a store; look after the database of one.",
        subcommands: [
            ServiceProfileCommand.self, InitCommand.self, CheckCommand.self, UntrackCommand.self,
            PasswordCommand.self,
        ],
        defaultSubcommand: ServiceProfileCommand.self)
}
