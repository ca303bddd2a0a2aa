import Foundation
import ODataProxyGen
import ODataQuery
import ODataServer
import ODataTesting
import Synchronization

/// A service by hand with what the sample has not: complex values, enumerations, properties that the service makes, two sets
/// of one type. It keeps what it is told.
enum Depot {
    static let options = GenerationOptions(serviceName: "Depot")

    /// What the app was built with; the service that runs has one more kind.
    static func metadata(withLoans: Bool) -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Kind"><Member Name="Tool" Value="0"/><Member Name="Spare" Value="1"/>
        \(withLoans ? #"<Member Name="Loan" Value="2"/>"# : "")</EnumType>
        <EnumType Name="Rights" IsFlags="true"><Member Name="None" Value="0"/>
        <Member Name="Lend" Value="1"/><Member Name="Scrap" Value="2"/></EnumType>
        <ComplexType Name="Box"><Property Name="Label" Type="Edm.String" Nullable="false"/>
        <Property Name="Width" Type="Edm.Decimal" Precision="9" Scale="2"/>
        <Property Name="Fits" Type="D.Kind" Nullable="false"/></ComplexType>
        <EntityType Name="Part"><Key><PropertyRef Name="Code"/></Key>
        <Property Name="Code" Type="Edm.String" Nullable="false" MaxLength="10"/>
        <Property Name="Name" Type="Edm.String" Nullable="false">
        <Annotation Term="Org.OData.Core.V1.Description" String="What people call it"/></Property>
        <Property Name="Kind" Type="D.Kind" Nullable="false"/>
        <Property Name="Rights" Type="D.Rights" Nullable="false"/>
        <Property Name="Box" Type="D.Box"/>
        <Property Name="Spares" Type="Collection(D.Box)" Nullable="false"/>
        <Property Name="Words" Type="Collection(Edm.String)" Nullable="false"/>
        <Property Name="Count" Type="Edm.Int32" Nullable="false" DefaultValue="1"/>
        <Property Name="Origin" Type="Edm.String">
        <Annotation Term="Org.OData.Core.V1.Immutable"/></Property>
        <Property Name="ChangedAt" Type="Edm.DateTimeOffset" Nullable="false">
        <Annotation Term="Org.OData.Core.V1.Computed"/></Property>
        <Property Name="Stock" Type="Edm.Int32" Nullable="false">
        <Annotation Term="Org.OData.Core.V1.Permissions" EnumMember="Org.OData.Core.V1.Permission/Read"/></Property>
        <Property Name="ShelfId" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Shelf" Type="D.Shelf" Nullable="false" Partner="Parts">
        <ReferentialConstraint Property="ShelfId" ReferencedProperty="Id"/></NavigationProperty>
        </EntityType>
        <EntityType Name="Machine" BaseType="D.Part"><Property Name="Watts" Type="Edm.Int32"/>
        </EntityType>
        <Action Name="Scrap" IsBound="true"><Parameter Name="part" Type="D.Part"/>
        <Parameter Name="reason" Type="Edm.String" Nullable="false"/>
        <ReturnType Type="Edm.Boolean" Nullable="false"/></Action>
        <Function Name="CountOf"><Parameter Name="kind" Type="D.Kind" Nullable="false"/>
        <ReturnType Type="Edm.Int32" Nullable="false"/></Function>
        <EntityType Name="Shelf"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Path" Type="Edm.String"/><Property Name="Row" Type="Edm.String"/>
        <NavigationProperty Name="Parts" Type="Collection(D.Part)" Partner="Shelf"/></EntityType>
        <EntityContainer Name="C">
        <EntitySet Name="Parts" EntityType="D.Part">
        <NavigationPropertyBinding Path="Shelf" Target="Shelves"/></EntitySet>
        <EntitySet Name="OldParts" EntityType="D.Part">
        <NavigationPropertyBinding Path="Shelf" Target="Shelves"/>
        <Annotation Term="Org.OData.Capabilities.V1.InsertRestrictions">
        <Record><PropertyValue Property="Insertable" Bool="false"/></Record></Annotation>
        <Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions">
        <Record><PropertyValue Property="Updatable" Bool="false"/></Record></Annotation></EntitySet>
        <EntitySet Name="Shelves" EntityType="D.Shelf">
        <NavigationPropertyBinding Path="Parts" Target="Parts"/></EntitySet>
        <FunctionImport Name="CountOf" Function="D.CountOf"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    /// The running service: two shelves, one part of a kind that the app does not know, one old part.
    final class Service: Sendable {
        private let loopback: LoopbackService
        private let kept = Kept()

        init() throws {
            let kept = kept
            loopback = try LoopbackService { request, _ in kept.answer(request) }
        }

        var url: URL? { URL(string: loopback.root) }

        /// What the service has of a part; nil where it has none.
        func part(_ code: String) -> [String: Any]? { kept.part(code) }

        /// The bodies of requests with this verb, as objects.
        func bodies(_ method: String) -> [[String: Any]] {
            loopback.requests.filter { $0.method == method }.compactMap {
                try? JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any]
            }
        }
    }

    /// The parts by their codes, as JSON.
    private final class Kept: Sendable {
        private let parts = Mutex([
            "A1": Data(Depot.part("A1").utf8), "M1": Data(Depot.machine.utf8),
        ])

        func part(_ code: String) -> [String: Any]? {
            let text = parts.withLock { $0[code] }
            return text.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
        }

        func answer(_ request: RequestMessage) -> HTTPEdge.Outcome {
            let path = request.url.split(separator: "?")[0].removingPercentEncoding ?? ""
            if path.hasSuffix("$metadata") {
                return answer(200, "application/xml", Depot.metadata(withLoans: true))
            }
            if path.hasSuffix("/Parts('A1')/D.Scrap") { return json(200, #"{"value": true}"#) }
            if path.hasSuffix("/CountOf(kind=D.Kind'Tool')") {
                return json(200, #"{"value": 7}"#)
            }
            if let code = path.split(separator: "'").dropFirst().first.map(String.init) {
                return one(code, request)
            }
            if path.hasSuffix("/Shelves") {
                return json(200, #"{"value": [{"Id": 1, "Path": "a/b", "Row": "R"}, {"Id": 2}]}"#)
            }
            if path.hasSuffix("/OldParts") {
                return json(200, #"{"value": [\#(Depot.part("Z9"))]}"#)
            }
            guard path.hasSuffix("/Parts") else { return json(404, "{}") }
            if request.method == "POST" { return create(request.body) }
            let all = parts.withLock { $0.values.map { String(decoding: $0, as: UTF8.self) } }
            return json(200, #"{"value": [\#(all.sorted().joined(separator: ","))]}"#)
        }

        private func one(_ code: String, _ request: RequestMessage) -> HTTPEdge.Outcome {
            guard let part = part(code) else { return json(404, "{}") }
            switch request.method {
            case "PATCH":
                store(part, with: request.body)
                return json(204, "")
            case "DELETE":
                parts.withLock { _ = $0.removeValue(forKey: code) }
                return json(204, "")
            default: return json(200, text(part))
            }
        }

        private func create(_ body: [UInt8]) -> HTTPEdge.Outcome {
            json(
                201, text(store(["ChangedAt": "2026-03-02T08:00:00Z", "Stock": 0], with: body)))
        }

        @discardableResult
        private func store(_ part: [String: Any], with body: [UInt8]) -> [String: Any] {
            let sent = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
            var part = part.merging(sent ?? [:]) { $1 }
            if let link = part.removeValue(forKey: "Shelf@odata.bind") as? String {
                part["ShelfId"] = link.split { !$0.isNumber }.last.flatMap { Int($0) }
            }
            let text = Data(text(part).utf8)
            parts.withLock { $0[part["Code"] as? String ?? ""] = text }
            return part
        }

        private func text(_ part: [String: Any]) -> String {
            let data = try? JSONSerialization.data(withJSONObject: part, options: .sortedKeys)
            return String(decoding: data ?? Data(), as: UTF8.self)
        }

        private func json(_ status: Int, _ text: String) -> HTTPEdge.Outcome {
            answer(status, "application/json", text)
        }

        private func answer(_ status: Int, _ type: String, _ text: String) -> HTTPEdge.Outcome {
            var headers = HeaderFields()
            headers["Content-Type"] = type
            headers["OData-Version"] = "4.0"
            return .answer(
                ResponseMessage(status: status, headers: headers, body: Array(text.utf8)))
        }
    }

    private static let machine = part("M1").replacingOccurrences(
        of: #""Box": {"Label": "B", "Width": 12.50, "Fits": "Loan"}"#,
        with: ##""@odata.type": "#D.Machine", "Watts": 700, "Box": null"##)

    private static func part(_ code: String) -> String {
        """
        {"Code": "\(code)", "Name": "Drill", "Kind": "Loan", "Rights": "Lend,Scrap",
        "Box": {"Label": "B", "Width": 12.50, "Fits": "Loan"},
        "Spares": [{"Label": "S", "Width": null, "Fits": "Tool"}], "Words": ["a", "b"],
        "Count": 3, "Origin": "Ulm", "ChangedAt": "2026-03-01T08:00:00Z", "Stock": 4, "ShelfId": 1}
        """
    }
}
