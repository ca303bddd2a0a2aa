import Foundation
import ODataProxyGen
import ODataServer
import ODataTesting

/// The service that the committed classes are of: the sample, with operations and with what only the client knows.
enum SampleService {
    static let options = GenerationOptions(serviceName: "FieldService")
    /// The same service in the form of newer apps, without the client's definitions.
    static let asyncOptions = GenerationOptions(
        serviceName: "FieldSync", family: .async, provider: .offline, typePrefix: "Async")

    /// A scratch pad of the client, and drafts of work orders.
    static let definitions = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="Own" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Mood"><Member Name="Fine" Value="0"/><Member Name="Urgent" Value="1"/></EnumType>
        <EntityType Name="Memo"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int64" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <Property Name="Mood" Type="Own.Mood"/>
        <Annotation Term="com.sap.vocabularies.Offline.v1.ClientOnly"/></EntityType>
        <EntityContainer Name="OwnContainer"><EntitySet Name="Memos" EntityType="Own.Memo">
        <Annotation Term="com.sap.vocabularies.Offline.v1.ClientOnly"/></EntitySet>
        <EntitySet Name="WorkOrderDrafts" EntityType="FieldService.WorkOrder">
        <Annotation Term="com.sap.vocabularies.Offline.v1.LocalDraft"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    static let operations = """
        {"functions": [
          {"name": "GetOrdersOf", "parameters": {"site": "Edm.Int64"},
           "returns": "Collection(WorkOrders)",
           "sql": "SELECT Id FROM WorkOrders WHERE SiteId = :site ORDER BY Id"},
          {"name": "GetOrderCount", "parameters": {"priority": "Edm.Int16?"}, "returns": "Edm.Int64",
           "sql": "SELECT count(*) FROM WorkOrders WHERE :priority IS NULL OR Priority = :priority"}],
         "actions": [
          {"name": "CloseOrder", "parameters": {"id": "Edm.Int64"},
           "sql": "UPDATE WorkOrders SET Status = 'done' WHERE Id = :id"}]}
        """

    static func adjust(_ configuration: inout ServiceConfiguration) {
        configuration.operations =
            (try? ServiceOperation.parse(Array(operations.utf8))) ?? []
    }
}
