package import ErrorFixture
package import ODataClasses

extension Failure {
    /// The failure of an error of the API that says where it was met.
    ///
    /// - Parameter place: host and path; hosts stand without their ports, because services of tests take any free one.
    package init<E: ErrorBase>(
        _ type: E.Type, _ code: ErrorBase.Code, at place: String, status: Int = 0
    ) {
        self.init(
            kind: "\(type)", code: code.description, place: place, status: status, sentence: nil)
    }

    /// The failure of an error of the API without a place.
    package init<E: ErrorBase>(
        _ type: E.Type, _ code: ErrorBase.Code, _ sentence: String, status: Int = 0
    ) {
        self.init(
            kind: "\(type)", code: code.description, place: nil, status: status,
            sentence: sentence)
    }
}

extension ErrorBase: ComparedError {
    package var failure: Failure {
        let end = place.map { " (\($0))" } ?? ""
        let sentence = message.map { $0.hasSuffix(end) ? String($0.dropLast(end.count)) : $0 }
        let host = place?.host.map { $0.prefix { $0 != ":" } } ?? ""
        return Failure(
            kind: "\(type(of: self))", code: code.description, place: place.map { host + $0.path },
            status: (self as? DataServiceError)?.status ?? 0, sentence: sentence)
    }
}
