import ODataModel
import ODataQuery
import ODataTransport
import ODataWorld
import SAPCommon
import SAPFoundation

/// What changes during the life of an online provider.
struct OnlineState: Sendable {
    var serviceOptions = ServiceOptions()
    var networkOptions = NetworkOptions()
    var httpHeaders = HTTPHeaders()
    var login: LoginCredentials?
    var session: SAPURLSession?
    var connection: ServiceConnection
    var document: CSDLDocument?
    var tracesRequests = false
    var tracesData = false
    var isPretty = false

    init(root: String, _ transport: any HTTPTransport, _ world: any World) {
        connection = ServiceConnection(root: root, transport: transport, world: world)
    }

    /// What the connection needs to know of the settings.
    var configuration: ServiceConnection.Configuration {
        var configuration = ServiceConnection.Configuration()
        let service = serviceOptions.fields
        configuration.headers = httpHeaders.fields
        if let client = service.clientInstanceID {
            configuration.headers["Client-Instance-ID"] = client
        }
        if let client = service.clientID { configuration.headers["Client-ID"] = client }
        if !networkOptions.fields.compressResponses {
            configuration.headers["Accept-Encoding"] = "identity"
        }
        configuration.credentials = login?.credentials
        configuration.tokenHeader = service.requiresToken
        return configuration
    }

    var tunneling: OnlineCall.Tunneling {
        OnlineCall.Tunneling(
            methods: Set(networkOptions.tunneledMethods.toArray()),
            header: networkOptions.fields.tunnelingHeader)
    }

    func trace(_ logger: Logger) -> OnlineTrace {
        OnlineTrace(
            logger: logger, isOn: tracesRequests, showsData: tracesData, isPretty: isPretty)
    }
}
