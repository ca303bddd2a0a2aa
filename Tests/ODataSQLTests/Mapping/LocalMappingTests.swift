import ODataModel
import ODataSQL
import Testing
import ShopFixture

@Suite struct LocalMappingTests {
    @Test func aQuoteIsDoubledWhateverStandsBehindIt() {
        #expect(SQLName.quoted("a\"b") == "\"a\"\"b\"")
        let accented = "a\"\u{301}; b"
        #expect(SQLName.quoted(accented).utf8.filter { $0 == UInt8(ascii: "\"") }.count == 4)
        #expect(SQLName.constant("it's") == "'it''s'")
    }

    @Test func eachSetAndContainmentPathHasATable() throws {
        let mapping = try Shop.mapping()
        #expect(mapping.tables.map(\.path) == ["Customers", "Orders", "Labels", "Orders/Items"])
        #expect(mapping.table(path: "Orders/Items")?.system.parent == "_odata_parent")
        #expect(mapping.table(path: "Orders")?.system.type == nil)
        #expect(mapping.table(path: "Customers")?.system.type == "_odata_type")
    }

    @Test func complexPropertiesAreFlattenedAndCaseTwinsGetARecordedSuffix() throws {
        let mapping = try Shop.mapping()
        let table = try mapping.existingTable(path: "Customers")
        let names = table.columns.filter { $0.path.hasPrefix("Address") }.map(\.name)
        #expect(
            names == [
                "Address", "Address/City", "Address/city~2", "Address/Place/Latitude",
                "Address/Place/Longitude",
            ])
        #expect(mapping.record.names == ["Customers|Address/city": "Address/city~2"])
        #expect(table.column(path: "Level")?.owner == mapping.graph.structure(named: "Shop.Vip"))
    }

    @Test func aRecordKeepsNamesAndWidenedColumns() throws {
        let record = MappingRecord(
            names: ["Customers|Address/city": "Address/city~7"], widened: ["Customers|Balance"])
        let mapping = SchemaMapping.local(for: try Shop.graph(), record: record)
        let table = try mapping.existingTable(path: "Customers")
        #expect(table.column(path: "Address/city")?.name == "Address/city~7")
        #expect(table.column(path: "Balance")?.encoding == .orderedDecimal)
        #expect(table.column(path: "Balance")?.orderColumn == "Balance#order")
        #expect(mapping.record == record)
    }

    @Test func linksAreStoredByConstraintParentOrLinkTable() throws {
        let mapping = try Shop.mapping()
        let customers = try mapping.existingTable(path: "Customers")
        let orders = try mapping.existingTable(path: "Orders")
        let labels = try mapping.existingTable(path: "Labels")
        #expect(
            orders.navigation(path: "Customer")?.storage
                == .columns([LinkedColumns(source: "CustomerId", target: "Id")]))
        #expect(
            customers.navigation(path: "Orders")?.storage
                == .columns([LinkedColumns(source: "Id", target: "CustomerId")]))
        #expect(
            orders.navigation(path: "Items")?.storage
                == .columns([LinkedColumns(source: "_odata_id", target: "_odata_parent")]))
        guard case .linkTable(let index, false) = orders.navigation(path: "Labels")?.storage else {
            Issue.record("Labels should have a link table")
            return
        }
        #expect(labels.navigation(path: "Orders")?.storage == .linkTable(index, isReversed: true))
        #expect(mapping.linkTables[index].name == "_odata_link_Orders_Labels")
        #expect(customers.navigation(path: "Address/Nearest")?.slots == [13, 3])
    }

    @Test func theTableOfOrdersReadsLikeThis() throws {
        let table = try Shop.mapping().existingTable(path: "Orders")
        #expect(
            table.createTable == """
                CREATE TABLE "Orders" (
                    "_odata_id" INTEGER PRIMARY KEY,
                    "_odata_etag" TEXT,
                    "_odata_sources" INTEGER NOT NULL DEFAULT 0,
                    "_odata_state" INTEGER NOT NULL DEFAULT 0,
                    "_odata_control" TEXT,
                    "Id" INTEGER,
                    "CustomerId" INTEGER,
                    "Amount" INTEGER,
                    "Placed" TEXT,
                    "Placed#offset" INTEGER
                )
                """)
        #expect(
            table.createKeyIndex
                == #"CREATE UNIQUE INDEX "_odata_key_Orders" ON "Orders" ("Id")"#)
        #expect(
            table.createLinkIndexes == [
                #"CREATE INDEX "_odata_index_Orders_CustomerId" ON "Orders" ("CustomerId")"#
            ])
    }

    @Test func containedRowsAreUniqueBelowTheirParent() throws {
        let table = try Shop.mapping().existingTable(path: "Orders/Items")
        #expect(table.uniqueColumns == ["_odata_parent", "Line"])
        #expect(table.name == "Orders/Items")
    }

    @Test func aSetNamedLikeOurOwnTablesIsSetApart() throws {
        var graph = MetadataGraph(version: .v4)
        graph.structures = [
            StructureDefinition(
                kind: .entity, namespace: "N", name: "T",
                properties: [Shop.primitive("Id", .int32)], key: [KeyProperty(path: "Id")])
        ]
        graph.entitySets = ["_odata_queue", "orders", "Orders", "sqlite_master"].map {
            EntitySetDefinition(name: $0, container: "N.C", type: StructureID(0))
        }
        try graph.freeze()
        let names = SchemaMapping.local(for: graph).tables.map(\.name)
        #expect(names == ["~_odata_queue", "orders", "Orders~2", "~sqlite_master"])
    }

    @Test func aTypeThatContainsItselfStopsAtAStatedDepth() throws {
        var graph = MetadataGraph(version: .v4)
        var folder = StructureDefinition(
            kind: .entity, namespace: "N", name: "Folder",
            properties: [Shop.primitive("Id", .int32)], key: [KeyProperty(path: "Id")])
        folder.properties.append(
            PropertyDefinition(
                name: "Folders",
                type: TypeReference(.structure(StructureID(0)), isCollection: true),
                navigation: NavigationDefinition(containsTarget: true)))
        graph.structures = [folder]
        graph.entitySets = [
            EntitySetDefinition(name: "Root", container: "N.C", type: StructureID(0))
        ]
        try graph.freeze()
        let mapping = SchemaMapping.local(for: graph)
        #expect(mapping.tables.count == 5)
        #expect(mapping.tables.last?.navigations.isEmpty == true)
    }
}
