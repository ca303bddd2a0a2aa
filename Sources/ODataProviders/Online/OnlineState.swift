import ODataClasses
import ODataModel
import ODataQuery
import ODataTransport
import ODataWorld
import SAPCommon
import SAPFoundation
import ODataSyncPlan

/// What changes during the life of an online provider.
struct OnlineState: Sendable {
    var serviceOptions = ServiceOptions()
    var networkOptions = NetworkOptions()
    var httpHeaders = HTTPHeaders()
    var login: LoginCredentials?
    var session: SAPURLSession?
    var connection: ServiceConnection
    /// The handler that ``connection`` sends through; nil when that is the library.
    var handler: HTTPHandler?
    /// What requests go through where there is no handler.
    var transport: any HTTPTransport
    let httpCookies = StringMap()
    var document: CSDLDocument?
    var tracesRequests = false
    var tracesData = false
    var isPretty = false
    var messageListener: (@Sendable (ErrorResponse) -> Void)?

    init(
        root: String, _ transport: any HTTPTransport, _ world: any World,
        _ login: LoginCredentials? = nil
    ) {
        self.login = login
        self.transport = transport
        connection = ServiceConnection(root: root, transport: transport, world: world)
    }

    /// Sends through the handler of the options from now on, or through the library where they have none.
    mutating func followHandler(_ root: String, _ world: any World) {
        let wanted = networkOptions.httpHandler
        guard wanted !== handler else { return }
        handler = wanted
        replaceConnection(root, world)
    }

    /// A connection over the present handler or transport, with the cookies of the one before.
    mutating func replaceConnection(_ root: String, _ world: any World) {
        let next = ServiceConnection(
            root: root, transport: handler.map { HandlerTransport(handler: $0) } ?? transport,
            world: world)
        next.cookies = connection.cookies
        connection = next
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
        let cookies = httpCookies.entries().map { "\($0.key)=\($0.value)" }
        if !cookies.isEmpty { configuration.headers["Cookie"] = cookies.joined(separator: "; ") }
        configuration.credentials = login?.credentials
        if let login { configuration.renewCredentials = { try login.renewed(after: $0) } }
        configuration.totalTimeout = networkOptions.fields.timeLimit
        configuration.compressesRequests = networkOptions.fields.compressRequests
        configuration.tokenHeader = service.requiresToken
        configuration.tunnellingHeader = requestSettings.tunnellingHeader
        configuration.refusesRequests = service.databaseOnly
        return configuration
    }

    func trace(_ logger: Logger) -> OnlineTrace {
        OnlineTrace(
            logger: logger, isOn: tracesRequests, showsData: tracesData, isPretty: isPretty)
    }
}
