import ODataTransport
import Testing

@testable import SAPFoundation

/// The time limits of a URL session's configuration.
@Suite struct SessionLimitTests {
    @Test func theShorterLimitsCount() {
        let options = ObservedTransport.limited(TransportOptions(), idle: 20, total: 90)
        #expect(options.idleTimeout == .seconds(20) && options.totalTimeout == .seconds(90))
        let own = TransportOptions(idleTimeout: .seconds(5), totalTimeout: .seconds(6))
        let kept = ObservedTransport.limited(own, idle: 20, total: 90)
        #expect(kept.idleTimeout == .seconds(5) && kept.totalTimeout == .seconds(6))
        #expect(ObservedTransport.limited(own, idle: 0, total: 0).totalTimeout == .seconds(6))
        for endless in [Double.infinity, .greatestFiniteMagnitude] {
            let endless = ObservedTransport.limited(own, idle: endless, total: endless)
            #expect(endless.idleTimeout == .seconds(5) && endless.totalTimeout == .seconds(6))
        }
    }
}
