import ArgumentParser
import ODataServer

/// What whoever watches over a service wants of it.
struct OperationsOptions: ParsableArguments {
    @Option(
        name: .customLong("management-port"),
        help: ArgumentHelp(
            "A port for /health and /metrics, where nobody is asked who it is; 0 takes a free one.",
            valueName: "port"))
    var managementPort: Int?

    @Option(
        name: .customLong("management-host"),
        help: ArgumentHelp("The address of the management port.", valueName: "host"))
    var managementHost = "127.0.0.1"

    @Flag(name: .customLong("access-log"), help: "Log each request to the standard error.")
    var accessLog = false

    @Option(
        name: .customLong("store-copies"),
        help: ArgumentHelp(
            "A folder for copies of their stores that clients send ($database); without it they are refused.",
            valueName: "folder"),
        completion: .directory)
    var storeCopies: String?

    @Option(
        name: .customLong("requests-per-second"),
        help: ArgumentHelp(
            "Requests of one user, or else one address, in the long run; twice as many at once.",
            valueName: "number"))
    var requestsPerSecond: Double?

    @Option(
        name: .customLong("drain-time"),
        help: ArgumentHelp(
            "How long requests that run may go on when the service is asked to end.",
            valueName: "seconds"))
    var drainTime = 10

    func validate() throws {
        if let managementPort, !(0...65_535).contains(managementPort) {
            throw ValidationError("--management-port: expected 0 to 65535.")
        }
        if let requestsPerSecond, !(0.01...100_000).contains(requestsPerSecond) {
            throw ValidationError("--requests-per-second: expected 0.01 to 100000.")
        }
        guard (0...3_600).contains(drainTime) else {
            throw ValidationError("--drain-time: expected 0 to 3600.")
        }
    }

    /// - Throws: `storage` where the folder for copies cannot be made.
    func apply(to configuration: inout ServiceConfiguration) throws {
        configuration.managementPort = managementPort
        configuration.managementHost = managementHost
        configuration.logsRequests = accessLog
        configuration.requestsPerSecond = requestsPerSecond
        configuration.copies = try storeCopies.map { try StoreCopies(folder: $0) }
    }
}
