import ArgumentParser
import ODataProxy
import ODataServer

/// Which service `odata serve` stands in front of.
struct ProxyOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The root of a service to offer with delta links; --database then names the file for its data.",
            valueName: "url"))
    var proxy: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long after one reading of that service the next one begins; 0 reads on demand only.",
            valueName: "seconds"))
    var every = 60

    @Flag(
        name: .customLong("proxy-writes"),
        help:
            "Pass changes on to that service, under the proxy's credentials; without it clients read only."
    )
    var takesChanges = false

    @OptionGroup var headers: HeaderOptions

    func validate() throws {
        guard (0...86_400).contains(every) else {
            throw ValidationError("--every: expected 0 to 86400.")
        }
        guard proxy != nil || !takesChanges else {
            throw ValidationError("--proxy-writes: expected --proxy, whose service is changed.")
        }
        guard proxy != nil || headers.header.isEmpty && headers.headerFile.isEmpty else {
            throw ValidationError("--header: expected --proxy, whose service it is sent to.")
        }
    }

    /// - Throws: bad input for a URL that is no service root.
    func settings(_ url: String, _ service: ServiceConfiguration) throws -> DeltaProxy.Settings {
        _ = try ServiceRoot(url)
        var settings = DeltaProxy.Settings(origin: url, service: service)
        settings.interval = every == 0 ? nil : .seconds(every)
        settings.takesChanges = takesChanges
        settings.headers = try headers.fields().map { ($0.name, $0.value) }
        return settings
    }
}
