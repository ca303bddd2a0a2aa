import ODataQuery
import ODataText

/// What is said of an answer that cannot be read.
package enum UnreadableAnswer {
    /// The error with the resource and the entity set that were asked for; for a page for people, that somebody else
    /// answered.
    ///
    /// - Parameter url: the resource under its absolute URL.
    package static func error(
        _ error: ODataError, _ answer: ResponseMessage, of url: String, set: String? = nil
    ) -> ODataError {
        let type = answer.headers["Content-Type"] ?? ""
        guard error.isAboutPayload, AnswerBody(contentType: type, start: answer.body).isHTML else {
            return error.inAnswer(of: url, set: set)
        }
        return ForeignAnswer.error(answer, of: url)
    }
}
