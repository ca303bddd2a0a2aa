import Foundation
import ODataQuery

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HeaderFields {
    /// The fields of an answer to a URL session, cookies parted again.
    init(of response: HTTPURLResponse) {
        self.init()
        for (name, value) in response.allHeaderFields {
            let (name, value) = ("\(name)", "\(value)")
            let isCookie = name.lowercased() == "set-cookie"
            for part in isCookie ? JoinedCookies.parts(of: value) : [value] {
                append(name: name, value: part)
            }
        }
    }
}
