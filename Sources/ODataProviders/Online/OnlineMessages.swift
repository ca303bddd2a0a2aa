import ODataClasses
import ODataWire
import SAPCommon

/// What a service says beside its answers (`sap-message` of V2, `sap-messages` of V4): to the log, and to who asked.
struct OnlineMessages: Sendable {
    var logger: Logger?
    var logsWarnings = true
    var listener: (@Sendable (ErrorResponse) -> Void)?

    func hear(_ messages: [ServiceMessage]) {
        for message in messages {
            switch message.severity {
            case .success, .info: logger?.info("The service says: \(message.code)")
            case .warning, .error:
                if logsWarnings { logger?.warn("The service warns: \(message.code)") }
            }
            listener?(ErrorResponse(message))
        }
    }

    /// What a service says, as the API has it.
    static func list(_ messages: [ServiceMessage]) -> ErrorResponseList {
        ErrorResponseList.fromArray(messages.map(ErrorResponse.init))
    }
}

extension ErrorResponse {
    fileprivate convenience init(_ message: ServiceMessage) {
        self.init(
            code: message.code, message: message.message, target: message.target,
            innerDetails: message.longTextURL, severity: message.severity.rawValue)
    }
}
