import ODataClasses
import ODataSync
import ODataTransport
import ODataWorld

/// What a provider is made with inside the package, in the place of a handler of the app.
final class ProviderSetting: HTTPHandler, @unchecked Sendable {
    // Constant.
    let transport: any HTTPTransport
    let world: any World
    let folder: PrivateFolder

    init(_ transport: any HTTPTransport, _ world: any World, _ folder: PrivateFolder) {
        self.transport = transport
        self.world = world
        self.folder = folder
        super.init()
    }
}
