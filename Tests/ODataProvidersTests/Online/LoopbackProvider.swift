import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataSync
import ODataTesting
import ODataTransport
import SAPOData

extension LoopbackService {
    func makeProvider(_ metadata: String = OnlineV2Tests.model) -> OnlineODataProvider {
        let provider = OnlineODataProvider(
            serviceName: "Socket", serviceRoot: root, transport: StandardTransport.shared,
            folder: PrivateFolder(path: "/nowhere"))
        provider.serviceOptions.metadataText = metadata
        return provider
    }

    /// Runs `body` with a service and a provider on a thread of its own, because calls block.
    static func run(
        _ answer: @escaping Answer,
        _ body: @escaping @Sendable (LoopbackService, OnlineODataProvider) throws -> Void
    ) async throws {
        try await OnlineFixture.onThread {
            let service = try LoopbackService(answer)
            try body(service, service.makeProvider())
        }
    }
}

extension HTTPEdge.Outcome {
    /// An answer of a V2 service, with its version.
    static func v2(
        _ json: String, status: Int = 200, _ headers: HeaderFields = HeaderFields()
    ) -> HTTPEdge.Outcome {
        var fields = headers
        fields["DataServiceVersion"] = "2.0"
        return .answer(.json(json, status: status, fields))
    }

    /// An answer without a body.
    static func status(
        _ status: Int, _ headers: HeaderFields = HeaderFields()
    ) -> HTTPEdge.Outcome {
        .answer(ResponseMessage(status: status, headers: headers))
    }

    /// A document of Atom.
    static func atom(
        _ xml: String, status: Int = 200, type: String = "application/atom+xml;type=feed"
    ) -> HTTPEdge.Outcome {
        .answer(
            ResponseMessage(
                status: status, headers: ["Content-Type": type, "DataServiceVersion": "2.0"],
                body: Array(xml.utf8)))
    }
}
