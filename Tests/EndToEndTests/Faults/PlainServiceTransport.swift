import Foundation
import ODataQuery
import ODataTesting
import ODataTransport

/// Makes the service look like one that knows nothing of repeatable requests: it sees no identities, and its metadata
/// does not speak of them.
final class PlainServiceTransport: HTTPTransport {
    private let base: DefectTransport
    /// Declares `Number` an alternate key of work orders.
    private let hasAlternateKey: Bool

    init(_ base: any HTTPTransport, hasAlternateKey: Bool = false) {
        self.base = DefectTransport(base, .dropsIdentities)
        self.hasAlternateKey = hasAlternateKey
    }

    func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
        let answer = try base.send(request, options: options)
        guard request.url.contains("$metadata") else { return answer }
        var message = try answer.readAll()
        var text = String(decoding: message.body, as: UTF8.self)
        text = text.replacing(
            #/<Annotation Term="Org.OData.Repeatability.V1.Supported"[^>]*\/>/#, with: "")
        if hasAlternateKey {
            text = text.replacing(
                "<EntityType Name=\"WorkOrder\">",
                with: "<EntityType Name=\"WorkOrder\">" + Self.alternateKey)
        }
        message.body = Array(text.utf8)
        return BufferedAnswer(message)
    }

    private static let alternateKey = """
        <Annotation Term="Org.OData.Core.V1.AlternateKeys"><Collection><Record>
        <PropertyValue Property="Key"><Collection><Record>
        <PropertyValue Property="Name" PropertyPath="Number"/>
        <PropertyValue Property="Alias" String="Number"/>
        </Record></Collection></PropertyValue></Record></Collection></Annotation>
        """
}
