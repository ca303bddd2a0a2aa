import APIErrorFixture
import ErrorFixture
import GRDB
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Testing
import WorkplaceFixture

/// Against metadata written by hand: complex properties, two sets of one type, a function.
@Suite struct ForeignServiceTests {
    static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Address"><Property Name="Street" Type="Edm.String"/>
            <Property Name="City" Type="Edm.String"/></ComplexType>
        <EntityType Name="Partner"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/>
            <Property Name="Address" Type="Shop.Address"/></EntityType>
        <Function Name="Rate"><Parameter Name="Year" Type="Edm.Int32" Nullable="false"/>
            <ReturnType Type="Edm.Int32" Nullable="false"/></Function>
        <EntityContainer Name="Container">
            <EntitySet Name="Customers" EntityType="Shop.Partner"/>
            <EntitySet Name="Suppliers" EntityType="Shop.Partner"/>
            <FunctionImport Name="Rate" Function="Shop.Rate"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// A service that answers with this metadata, a rate, and nothing else.
    private static func serve(_ place: ServiceWorkplace) {
        place.observer.setFaults { request, _ in
            if request.url.hasSuffix("$metadata") {
                return .answer(
                    ResponseMessage(
                        status: 200, headers: ["Content-Type": "application/xml"],
                        body: Array(metadata.utf8)))
            }
            guard request.url.contains("Rate(") else { return nil }
            return .answer(
                ResponseMessage(
                    status: 200,
                    headers: ["Content-Type": "application/json", "OData-Version": "4.0"],
                    body: Array(#"{"@odata.context":"$metadata#Edm.Int32","value":19}"#.utf8)))
        }
    }

    private static func indexed(_ place: ServiceWorkplace) throws -> [[String]] {
        try place.storeRows("SELECT name FROM pragma_index_list('Customers')").map {
            let name: String = $0[0]
            return try place.storeRows(
                "SELECT name FROM pragma_index_info('\(name)') ORDER BY seqno"
            ).compactMap { $0[0] }
        }
    }

    // CSP-044
    @Test func anIndexCanReachIntoAComplexProperty() async throws {
        try await ServiceWorkplace.run { place in
            Self.serve(place)
            try place.sync.loadMetadata(headers: .empty, options: .none)
            let address = place.property("Customers", "Address")
            let city = place.sync.metadata.complexType(withName: "Shop.Address")
                .property(withName: "City")
            place.sync.createIndex(place.set("Customers"), address.path(city))
            try place.sync.open()
            #expect(try Self.indexed(place).contains { $0.starts(with: ["Address/City"]) })
        }
    }

    // CSP-046
    @Test func anIndexByNameCanReachIntoAComplexProperty() async throws {
        try await ServiceWorkplace.run { place in
            Self.serve(place)
            place.sync.createDynamicIndex("Customers", "Address/City", "Name")
            try place.sync.open()
            #expect(try Self.indexed(place).contains { $0.starts(with: ["Address/City", "Name"]) })
        }
    }

    // CSP-075
    @Test func anEntityOfTwoSetsMustSayItsSet() async throws {
        try await ServiceWorkplace.run { place in
            Self.serve(place)
            try place.sync.open()
            let type = place.set("Customers").entityType
            let partner = EntityValue.ofType(type)
            type.property(withName: "ID").setIntValue(in: partner, to: 1)
            #expect(
                failure { try place.sync.create(partner) }
                    == Failure(
                        DataServiceError.self, .invalidValue, at: "Shop.Partner", status: 400))
            #expect(try place.sync.queued().isEmpty)
            #expect(try place.storeCount("Customers") + place.storeCount("Suppliers") == 0)
            try place.sync.create(partner.inSet(place.set("Suppliers")))
            #expect(try place.storeCount("Suppliers") == 1)
            #expect(try place.sync.queued().map(\.requestURL) == ["Suppliers"])
        }
    }

    // CSP-089
    @Test func aFunctionIsCalledAtTheServiceOnly() async throws {
        try await ServiceWorkplace.run { place in
            Self.serve(place)
            try place.sync.open()
            place.observer.forget()
            let rate = place.sync.metadata.dataMethod(withName: "Rate")
            let parameters = ParameterList().with(name: "Year", value: IntValue(2026))
            let result = try place.sync.executeMethod(
                rate, parameters: parameters, headers: .empty, options: .none)
            #expect(IntValue.optional(result) == 19)
            #expect(place.requests() == ["GET Rate(Year=2026)"])
            place.cutNetwork()
            #expect(
                failure {
                    try place.sync.executeMethod(
                        rate, parameters: parameters, headers: .empty, options: .none)
                } == Failure(DataNetworkError.self, .network, at: "127.0.0.1/Rate"))
        }
    }
}
