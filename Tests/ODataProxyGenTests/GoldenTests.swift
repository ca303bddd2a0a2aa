// table: golden files.
import ODataProxyGen
import Testing

/// What a V2 document becomes, to the letter; a V4 one is committed as `GeneratedSample`.
@Suite struct GoldenTests {
    @Test func anEntityClassOfV2() throws {
        let options = GenerationOptions(serviceName: "Shop", family: .async)
        let files = try GeneratorTests.files(Array(Self.document.utf8), options)
        #expect(files["SalesOrder.swift"] == Self.entity + "\n")
        #expect(
            files.keys.sorted() == [
                "CTAddress.swift", "Item.swift", "SalesOrder.swift", "Shop.swift",
                "ShopFactory.swift", "ShopMetadata.swift", "ShopMetadataChanges.swift",
                "ShopMetadataParser.swift", "ShopMetadataText.swift",
            ])
    }

    @Test func callsOfFunctionImportsOfV2() throws {
        let options = GenerationOptions(serviceName: "Shop", family: .async)
        let service = try #require(
            try GeneratorTests.files(Array(Self.document.utf8), options)["Shop.swift"])
        #expect(service.contains(Self.calls))
    }

    private static let document = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns:sap="http://www.sap.com/Protocols/SAPData">
        <edmx:DataServices m:DataServiceVersion="2.0"><Schema Namespace="Z_SHOP" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="SalesOrder"><Key><PropertyRef Name="SO_ID"/></Key>
        <Property Name="SO_ID" Type="Edm.String" Nullable="false" sap:label="Order number"/>
        <Property Name="CreatedAt" Type="Edm.DateTime"/><Property Name="TimeOf" Type="Edm.Time"/>
        <Property Name="Address" Type="Z_SHOP.CT_Address" Nullable="false"/>
        <NavigationProperty Name="Items" Relationship="Z_SHOP.OrderItems" FromRole="Order" ToRole="Item"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Guid" Nullable="false"/>
        <NavigationProperty Name="ToOrder" Relationship="Z_SHOP.OrderItems" FromRole="Item" ToRole="Order"/></EntityType>
        <ComplexType Name="CT_Address"><Property Name="CITY_NAME" Type="Edm.String"/></ComplexType>
        <Association Name="OrderItems"><End Type="Z_SHOP.SalesOrder" Multiplicity="1" Role="Order"/><End Type="Z_SHOP.Item" Multiplicity="*" Role="Item"/></Association>
        <EntityContainer Name="Shop" m:IsDefaultEntityContainer="true"><EntitySet Name="SalesOrderSet" EntityType="Z_SHOP.SalesOrder"/><EntitySet Name="ItemSet" EntityType="Z_SHOP.Item"/>
        <AssociationSet Name="OrderItemsSet" Association="Z_SHOP.OrderItems"><End Role="Order" EntitySet="SalesOrderSet"/><End Role="Item" EntitySet="ItemSet"/></AssociationSet>
        <FunctionImport Name="Confirm" ReturnType="Z_SHOP.SalesOrder" EntitySet="SalesOrderSet" m:HttpMethod="POST"><Parameter Name="SO_ID" Type="Edm.String" Mode="In"/></FunctionImport>
        <FunctionImport Name="GetTop" ReturnType="Collection(Z_SHOP.SalesOrder)" EntitySet="SalesOrderSet" m:HttpMethod="GET"><Parameter Name="Count" Type="Edm.Int32" Nullable="false"/></FunctionImport>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let entity = #"""
        // odata-generate: Shop. Do not edit; the next run replaces this file.
        // swift-format-ignore-file
        import Foundation
        import SAPOData
        import Synchronization

        /// The entity type `Z_SHOP.SalesOrder`.
        open class SalesOrder: EntityValue, Identifiable, @unchecked Sendable {
            // The objects of the properties; a refresh of metadata puts others in their place.
            private enum Kept {
                static let _owner = ShopMetadataParser.document.entityType(withName: "Z_SHOP.SalesOrder")
                static let soId = Mutex(_owner.property(withName: "SO_ID"))
                static let createdAt = Mutex(_owner.property(withName: "CreatedAt"))
                static let timeOf = Mutex(_owner.property(withName: "TimeOf"))
                static let address = Mutex(_owner.property(withName: "Address"))
                static let items = Mutex(_owner.property(withName: "Items"))
            }

            /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
            public required init(from decoder: any Decoder) throws {
                try super.init(from: decoder)
            }

            /// Creates a new one; with defaults, unset properties read as theirs.
            public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
                super.init(withDefaults: withDefaults, type: ShopMetadata.EntityTypes.salesOrder, withIndexMap: withIndexMap)
            }

            /// The values of a list, which must be of this class.
            open class func array(from: EntityValueList) -> [SalesOrder] {
                ArrayConverter.convert(from.toArray(), [SalesOrder]())
            }

            /// A copy that shares nothing with this one.
            open func copy() -> SalesOrder {
                CastRequired<SalesOrder>.from(copyEntity())
            }

            /// The values before the changes of the app; traps where none were loaded or remembered.
            open var old: SalesOrder {
                CastRequired<SalesOrder>.from(oldEntity)
            }

            /// True: the class is generated.
            open override var isProxy: Bool { true }

            /// The key of an entity with these values.
            open class func key(soId: String?) -> EntityKey {
                EntityKey().with(name: "SO_ID", value: StringValue.of(optional: soId))
            }

            /// The property `SO_ID` in metadata and queries.
            open class var soId: Property {
                get { Kept.soId.withLock { $0 } }
                set(value) { Kept.soId.withLock { $0 = value } }
            }

            /// `SO_ID`.
            ///
            /// Order number
            open var soId: String? {
                get { StringValue.optional(optionalValue(for: SalesOrder.soId)) }
                set(value) { setOptionalValue(for: SalesOrder.soId, to: StringValue.of(optional: value)) }
            }

            /// The property `CreatedAt` in metadata and queries.
            open class var createdAt: Property {
                get { Kept.createdAt.withLock { $0 } }
                set(value) { Kept.createdAt.withLock { $0 = value } }
            }

            /// `CreatedAt`.
            open var createdAt: LocalDateTime? {
                get { LocalDateTime.castOptional(optionalValue(for: SalesOrder.createdAt)) }
                set(value) { setOptionalValue(for: SalesOrder.createdAt, to: value) }
            }

            /// The property `TimeOf` in metadata and queries.
            open class var timeOf: Property {
                get { Kept.timeOf.withLock { $0 } }
                set(value) { Kept.timeOf.withLock { $0 = value } }
            }

            /// `TimeOf`.
            open var timeOf: LocalTime? {
                get { LocalTime.castOptional(optionalValue(for: SalesOrder.timeOf)) }
                set(value) { setOptionalValue(for: SalesOrder.timeOf, to: value) }
            }

            /// The property `Address` in metadata and queries.
            open class var address: Property {
                get { Kept.address.withLock { $0 } }
                set(value) { Kept.address.withLock { $0 = value } }
            }

            /// `Address`.
            open var address: CTAddress? {
                get { CastOptional<CTAddress>.from(optionalValue(for: SalesOrder.address)) }
                set(value) { setOptionalValue(for: SalesOrder.address, to: value) }
            }

            /// The property `Items` in metadata and queries.
            open class var items: Property {
                get { Kept.items.withLock { $0 } }
                set(value) { Kept.items.withLock { $0 = value } }
            }

            /// `Items`.
            open var items: [Item] {
                get { Item.array(from: SalesOrder.items.entityList(from: self)) }
                set(value) { SalesOrder.items.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
            }

        }
        """#

    private static let calls = #"""
            /// Calls the action `Confirm`.
            ///
            /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
            open func confirm(soId: String?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> SalesOrder? {
                let call = DataQuery.newIfNull(query: query).invoke(ShopMetadata.ActionImports.confirm, ParameterList().with(name: "SO_ID", value: StringValue.of(optional: soId)))
                return try await asyncAction { [self] in
                    try checkIfCancelled(options?.cancelToken)
                    let result = try ProxyInternal.executeQuery(service: self, query: call, headers: headers, options: options)
                    return CastOptional<SalesOrder>.from(try result.optionalEntity())
                }
            }

            /// Calls the function `GetTop`.
            ///
            /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
            open func top(count: Int, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> [SalesOrder] {
                let call = DataQuery.newIfNull(query: query).invoke(ShopMetadata.FunctionImports.getTop, ParameterList().with(name: "Count", value: IntValue.of(count)))
                let result = try await executeQuery(call, headers: headers, options: options)
                return SalesOrder.array(from: try result.entityList())
            }
        """#
}
