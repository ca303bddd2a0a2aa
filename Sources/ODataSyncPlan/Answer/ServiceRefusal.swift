import ODataQuery
import ODataText
import ODataWire

/// What a service says when it refuses, beneath the error that is thrown for it.
package struct ServiceRefusal: Error, Sendable, Hashable {
    package var status: Int
    package var payload: ErrorPayload
    /// The language of its sentences.
    package var language: String?
    /// The methods that the resource takes, as `Allow` names them.
    package var allowed: String?

    /// Whether a status says that nobody may come in now, or not so often: of everything, then, and nothing of the resource.
    package static func isOfTheMoment(_ status: Int) -> Bool {
        [401, 407, 408, 429, 503].contains(status)
    }

    /// Whether a status that lets nobody in need not be meant for everything: a redirection, or 401.
    static func mayBeOfOnePlace(_ status: Int) -> Bool {
        status == 401 || (300..<400).contains(status)
    }

    /// The error for an answer with an error status: the service's own words where they can be read.
    ///
    /// - Parameter url: What the request was for; nil for a part of a batch.
    package static func error(_ answer: ResponseMessage, of url: String? = nil) -> ODataError {
        var payload = ErrorPayload(answer)
        if payload.code.isEmpty, let page = ForeignAnswer.page(answer) {
            payload.message += " with \(page)"
        }
        return ODataError(
            .service, payload.message, at: url.map { .resource(of: $0) }, status: answer.status,
            underlying: ServiceRefusal(
                status: answer.status, payload: payload,
                language: answer.headers["Content-Language"],
                allowed: answer.headers["Allow"]))
    }
}
