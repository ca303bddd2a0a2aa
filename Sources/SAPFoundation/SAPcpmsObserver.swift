import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The settings that identify an application to its backend.
public struct SAPcpmsSettingsParameters: Sendable {
    /// Where the backend is.
    public let backendURL: URL
    /// The application's id there.
    public let applicationID: String
    /// The device's id, where one is used.
    public let deviceID: String?

    /// Takes the three settings over.
    public init(backendURL: URL, applicationID: String, deviceID: String? = nil) {
        self.backendURL = backendURL
        self.applicationID = applicationID
        self.deviceID = deviceID
    }
}

/// Adds the application's id (and the device's) to each request.
public final class SAPcpmsObserver: SAPURLSessionObserving, Sendable {
    private let applicationID: String
    private let deviceID: String?

    /// Adds `X-SMP-APPID` and, when given, `X-SMP-DEVICEID`.
    public init(applicationID: String, deviceID: String? = nil) {
        self.applicationID = applicationID
        self.deviceID = deviceID
    }

    /// Takes both ids from the settings.
    public convenience init(settingsParameters: SAPcpmsSettingsParameters) {
        self.init(
            applicationID: settingsParameters.applicationID,
            deviceID: settingsParameters.deviceID)
    }

    /// Sets the header fields and lets the request go on.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
    ) {
        var request = request
        request.setValue(applicationID, forHTTPHeaderField: "X-SMP-APPID")
        if let deviceID { request.setValue(deviceID, forHTTPHeaderField: "X-SMP-DEVICEID") }
        completionHandler(.use(request))
    }
}
