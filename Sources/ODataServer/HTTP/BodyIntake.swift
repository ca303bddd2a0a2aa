/// Takes the body of a request while it arrives; used by one thread at a time.
package protocol BodyIntake: AnyObject, Sendable {
    /// The next bytes.
    ///
    /// - Throws: `ODataError` with the status of the answer in place of what the request asks for.
    func write(_ bytes: [UInt8]) throws
    /// Gives up what arrived.
    func abandon() throws
}
