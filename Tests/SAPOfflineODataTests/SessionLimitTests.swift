import Foundation
import ODataTransport
import Testing

@testable import SAPFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The time limits of a URL session's configuration.
@Suite struct SessionLimitTests {
    @Test func theShorterLimitsCount() {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 20
        configuration.timeoutIntervalForResource = 90
        let options = ObservedTransport.limited(TransportOptions(), by: configuration)
        #expect(options.idleTimeout == .seconds(20) && options.totalTimeout == .seconds(90))
        let own = TransportOptions(idleTimeout: .seconds(5), totalTimeout: .seconds(6))
        let kept = ObservedTransport.limited(own, by: configuration)
        #expect(kept.idleTimeout == .seconds(5) && kept.totalTimeout == .seconds(6))
    }
}
