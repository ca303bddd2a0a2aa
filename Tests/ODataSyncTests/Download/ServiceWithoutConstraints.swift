import GRDB
import SAPOData
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import ODataWire

/// The same data under metadata without referential constraints: only `$expand` tells what is linked to what.
extension ServiceWorkplace {
    /// - Parameters:
    ///   - change: changes the metadata further.
    ///   - rule: decides about everything but the metadata.
    func serveWithoutConstraints(
        _ change: (String) -> String = { $0 }, _ rule: ServiceObserver.FaultRule? = nil
    ) {
        let metadata = change(
            CSDLWriter.xml(service.graph).replacing(#/<ReferentialConstraint [^>]*>/#, with: ""))
        observer.setFaults { request, number in
            guard request.url.hasSuffix("$metadata") else { return rule?(request, number) }
            return .answer(
                ResponseMessage(
                    status: 200, headers: ["Content-Type": "application/xml"],
                    body: Array(metadata.utf8)))
        }
    }

    /// An answer with a page written by hand.
    static func page(_ json: String) -> ServiceObserver.Fault {
        .answer(
            ResponseMessage(
                status: 200,
                headers: ["Content-Type": "application/json", "OData-Version": "4.0"],
                body: Array(json.utf8)))
    }

    /// The pairs of keys in a link table.
    func storedLinks(_ table: String, _ source: String, _ target: String) throws -> [String] {
        try storeRows(
            "SELECT s.\(source), t.\(target) FROM \"_odata_link_\(table)\" k"
                + " JOIN \"\(table.prefix { $0 != "_" })\" s ON s._odata_id = k.source"
                + " JOIN \"\(linkTarget(table))\" t ON t._odata_id = k.target ORDER BY 1, 2"
        ).map { "\($0[0] as DatabaseValue)-\($0[1] as DatabaseValue)" }
    }

    private func linkTarget(_ table: String) -> String {
        let navigation = table.drop { $0 != "_" }.dropFirst()
        switch navigation {
        case "Site", "Sites": return "Sites"
        case "WorkOrder", "WorkOrders": return "WorkOrders"
        case "Customer": return "Customers"
        case "Parent": return "Equipment"
        default: return String(navigation)
        }
    }

    func servedLinks(_ sql: String) throws -> [String] {
        try serviceRows(sql + " ORDER BY 1, 2").map {
            "\($0[0] as DatabaseValue)-\($0[1] as DatabaseValue)"
        }
    }
}
