import Foundation
import ODataClasses
import ODataSyncPlan

extension OfflineODataFailedRequest {
    /// A request as the service refused it; nil for one that was only held back.
    init?(_ request: PendingRequest, root: String) {
        guard let failure = request.request?.state.failure else { return nil }
        let text = request.requestURL
        let absolute = text.contains("://") ? text : root + text
        self.init(
            httpStatusCode: failure.status, requestID: Int(request.requestID),
            customTag: request.customTag, errorCode: failure.code ?? "",
            errorMessage: failure.message ?? "", innerError: failure.innerError,
            requestHTTPMethod: request.httpMethod,
            requestURL: URL(string: absolute) ?? URL(fileURLWithPath: text),
            requestBody: request.requestBody)
    }
}
