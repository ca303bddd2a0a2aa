import ODataClasses
import ODataQuery
import ODataWire
import SAPCommon

/// What a service says beside its answers (`sap-message` of V2, `sap-messages` of V4): to the log, and to who asked.
struct OnlineMessages: Sendable {
    var logger: Logger?
    var logsWarnings = true
    var listener: (@Sendable (ErrorResponse) -> Void)?

    /// Passes on what the headers of an answer say.
    func hear(_ answer: ResponseMessage) {
        for message in ServiceMessage.all(in: answer.headers) {
            switch message.severity {
            case .success, .info: logger?.info("The service says: \(message.code)")
            case .warning, .error:
                if logsWarnings { logger?.warn("The service warns: \(message.code)") }
            }
            listener?(ErrorResponse(message))
        }
    }

    /// What the headers of an answer say, as the API has it.
    static func list(of answer: ResponseMessage) -> ErrorResponseList {
        ErrorResponseList.fromArray(ServiceMessage.all(in: answer.headers).map(ErrorResponse.init))
    }
}

extension ErrorResponse {
    fileprivate convenience init(_ message: ServiceMessage) {
        self.init(
            code: message.code, message: message.message, target: message.target,
            innerDetails: message.longTextURL, severity: message.severity.rawValue)
    }
}
