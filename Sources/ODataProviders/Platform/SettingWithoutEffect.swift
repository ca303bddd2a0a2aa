import ODataClasses
import ODataSync
import ODataTransport
import SAPCommon

/// A setting that an app has made and that means nothing here. It is logged with what it belongs to and refuses nothing;
/// `docs/sync.md` lists all of them.
package struct SettingWithoutEffect: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the setting.
    package let name: String
    /// What happens in its place.
    package let instead: String

    package var description: String { "The setting \(name) has no effect: \(instead)." }

    /// Those of an opening.
    ///
    /// - Parameter sendsItself: the app's own handler sends the requests.
    static func found(
        in configuration: SyncConfiguration, sendsItself: Bool = false
    ) -> [SettingWithoutEffect] {
        let isCarried = configuration.backgroundTransfer != nil || PlatformTransfers.areThere
        guard sendsItself || !isCarried else { return [] }
        let instead =
            sendsItself
            ? "the app's own handler sends the requests"
            : "transfers run as long as the process does"
        return [
            ("downloadInBackground", configuration.downloadInBackground),
            ("uploadInBackground", configuration.uploadInBackground),
        ].filter(\.1).map { SettingWithoutEffect(name: $0.0, instead: instead) }
    }

    /// Which sources hold a row is always tracked.
    static let overlap = SettingWithoutEffect(
        name: "downloadQueriesCanOverlap",
        instead: "a row that several queries bring stays until the last of them goes, in every set")

    /// Methods are tunnelled by their names.
    ///
    /// - Returns: nil where there is one.
    static func tunnelling(_ options: NetworkOptions) -> SettingWithoutEffect? {
        guard options.allowTunneling, options.tunneledMethods.isEmpty else { return nil }
        return SettingWithoutEffect(
            name: "allowTunneling", instead: "no method is named in tunneledMethods")
    }

    /// Those of a request.
    static func found(in options: RequestOptions) -> [SettingWithoutEffect] {
        let background = "the transfer runs as long as the process does"
        return [
            ("backgroundFile", options.backgroundFile != nil, background),
            ("backgroundName", options.backgroundName != nil, background),
            (
                "repeatabilityDeletion", options.repeatabilityDeletion != nil,
                "the service decides how long it knows the identity of a request"
            ),
        ].filter(\.1).map { SettingWithoutEffect(name: $0.0, instead: $0.2) }
    }

    func log(to logger: Logger) { logger.warn(description, error: self) }
}
