import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import Testing

// The members that existing programs and generated classes name, spelled as they spell them: what stands here compiles,
// and does what the name says. Nothing but the public modules is imported.

/// A model with every kind of element.
enum APIModel {
    static let text = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Color"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/></EnumType>
        <EnumType Name="Flag" IsFlags="true"><Member Name="A" Value="1"/><Member Name="B" Value="2"/></EnumType>
        <TypeDefinition Name="Code" UnderlyingType="Edm.String" MaxLength="4"/>
        <ComplexType Name="Size"><Property Name="Height" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
        <Property Name="Name" Type="Edm.String" DefaultValue="none"/>
        <Property Name="Age" Type="Edm.Int32"/>
        <Property Name="Balance" Type="Edm.Decimal" Scale="2"/>
        <Property Name="Color" Type="S.Color"/>
        <Property Name="Size" Type="S.Size"/>
        <Property Name="Sizes" Type="Collection(S.Size)"/>
        <Property Name="Since" Type="Edm.DateTimeOffset"/>
        <Property Name="Guid" Type="Edm.Guid"/>
        <Property Name="Photo" Type="Edm.Stream"/>
        <NavigationProperty Name="Orders" Type="Collection(S.Order)" Partner="Customer"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
        <Property Name="CustomerID" Type="Edm.Int64"/>
        <NavigationProperty Name="Customer" Type="S.Customer" Partner="Orders">
        <ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty>
        </EntityType>
        <EntityType Name="Picture" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/></EntityType>
        <Action Name="Reset"><Parameter Name="hard" Type="Edm.Boolean"/><ReturnType Type="Edm.Boolean"/></Action>
        <Function Name="Best"><Parameter Name="limit" Type="Edm.Int32"/><ReturnType Type="Collection(S.Customer)"/></Function>
        <Function Name="Total" IsBound="true"><Parameter Name="customer" Type="S.Customer"/><ReturnType Type="Edm.Decimal"/></Function>
        <EntityContainer Name="C"><EntitySet Name="Customers" EntityType="S.Customer">
        <NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet>
        <EntitySet Name="Orders" EntityType="S.Order">
        <NavigationPropertyBinding Path="Customer" Target="Customers"/></EntitySet>
        <EntitySet Name="Pictures" EntityType="S.Picture"/>
        <Singleton Name="Me" Type="S.Customer"/>
        <ActionImport Name="Reset" Action="S.Reset"/><FunctionImport Name="Best" Function="S.Best" EntitySet="Customers"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    static func document() throws -> CSDLDocument {
        let parser = CSDLParser()
        parser.logWarnings = false
        parser.csdlOptions =
            CSDLOption.processMixedVersions | CSDLOption.retainOriginalText
            | CSDLOption.ignoreUndefinedTerms | CSDLOption.allowCaseConflicts
            | CSDLOption.disableFacetWarnings | CSDLOption.disableNameValidation
            | CSDLOption.synthesizeTargetSets | CSDLOption.ignoreAllReferences
        return try parser.parse(text, url: "model")
    }
}

@Suite struct ValueAPITests {
    @Test func wrappersGiveTheirValuesBack() {
        #expect(StringValue.unwrap(StringValue.of("a")) == "a")
        #expect(StringValue.optional(StringValue.of(optional: nil)) == nil)
        #expect(BooleanValue.of(true).value)
        #expect(IntValue.optional(ShortValue.of(5)) == 5)
        #expect(LongValue.of(Int64(7)).value == 7)
        #expect(ByteValue.of(1).toString() == "1" && UnsignedByte.of(200).value == 200)
        #expect(IntegerValue.of(BigInteger(5)).value == BigInteger.fromInt(5))
        #expect(DecimalValue.castRequired(DecimalValue.of(BigDecimal("1.50"))).toString() == "1.50")
        #expect(FloatValue.unwrap(FloatValue.of(1.5)) == 1.5)
        #expect(DoubleValue.of(optional: 2.5)?.value == 2.5)
        #expect(BinaryValue.unwrap(BinaryValue.of(Data([1]))) == Data([1]))
        #expect(IntValue.equal(left: IntValue.of(1), right: IntValue.of(1)))
        #expect(IntValue.compare(left: IntValue.of(1), right: IntValue.of(2)) == -1)
        #expect(IntValue.zero.value == 0 && StringValue.empty.value == "")
        #expect(CharValue.of("x").value == "x")
        #expect("\(IntValue.of(3))" == "3")
        #expect(DataValue.undefined.dataType.code == DataType.unknown.code)
        #expect(
            IntValue.of(1) < IntValue.of(2) && Set([IntValue.of(1), IntValue.of(1)]).count == 1)
        #expect(IntValue.castOptional(nil) == nil)
    }

    @Test func wrappersReadTheTextOfAField() {
        #expect(IntValue.parse("7")?.value == 7 && IntValue.parse("2147483648") == nil)
        #expect(LongValue.parse("2147483648")?.value == 2_147_483_648)
        #expect(ShortValue.parse("-1")?.value == -1 && ByteValue.parse("128") == nil)
        #expect(UnsignedByte.parse("255")?.value == 255 && UnsignedByte.parse("-1") == nil)
        #expect(DecimalValue.parse("1.50")?.toString() == "1.50" && DecimalValue.parse("x") == nil)
        #expect(IntegerValue.parse("123456789012345678901")?.toString().count == 21)
        #expect(DoubleValue.parse("2.5")?.value == 2.5 && FloatValue.parse("1.5")?.value == 1.5)
        #expect(BooleanValue.parse("true")?.value == true && BooleanValue.parse("yes") == nil)
        #expect(BinaryValue.parse("AQI=")?.value == Data([1, 2]))
        #expect(StringValue.parse("a")?.value == "a" && IntValue.parse("") == nil)
    }

    @Test func bigNumbersAreExact() throws {
        let price = try #require(BigDecimal.parse("12.50"))
        #expect(price.doubleValue() == 12.5 && price.intValue() == 12)
        #expect(BigDecimal.parse("x") == nil && BigInteger.parse("1.5") == nil)
        #expect(BigDecimal.fromInt(2).add(BigDecimal(3)) == BigDecimal("5"))
        #expect(BigDecimal.fromDouble(0.5) < BigDecimal(1))
        #expect(BigInteger("123456789012345678901234567890").description.count == 30)
        #expect(BigDecimal(Decimal(3)).decimalValue() == Decimal(3))
        #expect(BigInteger(7).doubleValue() == 7 && BigInteger(7).intValue() == 7)
        #expect(BigDecimal("7") % BigDecimal(4) == BigDecimal(3))
    }

    @Test func sumsAreWrittenWithAssignments() {
        var total = BigDecimal(0)
        for price in [BigDecimal("1.5"), BigDecimal("2.25")] { total += price }
        #expect(total == BigDecimal("3.75"))
        total *= BigDecimal(4)
        total -= BigDecimal(1)
        total /= BigDecimal(7)
        #expect(total == BigDecimal(2))
        var count = BigInteger(2)
        count += BigInteger(5)
        count *= BigInteger(3)
        count -= BigInteger(1)
        count /= BigInteger(4)
        #expect(count == BigInteger(5))
    }

    @Test func calendarValuesComeFromTextPartsAndDates() throws {
        let date = try #require(LocalDate.parse("2031-05-01"))
        #expect(date.year == 2031 && date.dayOfWeek == DayOfWeek.thursday && date.dayOfYear == 121)
        #expect(date == LocalDate.of(year: 2031, month: MonthOfYear.may, day: 1))
        let time = LocalTime.of(hour: 8, minute: 30)
        #expect(time.toString().hasPrefix("08:30:00") && LocalTime.parse("25:00:00") == nil)
        let moment = GlobalDateTime.of(year: 2031, month: 5, day: 1, hour: 8)
        let utc: Date = moment.utc()
        #expect(GlobalDateTime.from(utc: utc) == moment)
        #expect(GlobalDateTime.castRequired(moment).date == date)
        let local = LocalDateTime.from(utc: utc, in: try #require(TimeZone(identifier: "GMT")))
        #expect(local.hour == 8 && local.utc(from: .gmt) == utc)
        #expect(LocalDate.from(utc: utc) == date && LocalTime.from(utc: utc).hour == 8)
        #expect(LocalDateTime.now().year >= 2024 && GlobalDateTime.now() > moment.minusYears(99))
        let duration = try #require(DayTimeDuration.parse("P1DT2H"))
        #expect(duration.days == 1 && duration.hours == 2 && duration.sign == 1)
        #expect(DayTimeDuration.of(hours: 1, seconds: 1).toDecimal() == BigDecimal(3601))
    }

    @Test func guidsHaveTwoTexts() throws {
        let guid = try #require(GuidValue.parse("0123456789ABCDEF0123456789ABCDEF"))
        #expect(guid.toString() == "01234567-89ab-cdef-0123-456789abcdef")
        #expect(guid.toString32() == "0123456789abcdef0123456789abcdef")
        #expect(GuidValue.castOptional(guid) === guid)
        #expect(GuidValue.of(optional: guid.value) == guid && GuidValue.of(optional: nil) == nil)
        #expect(GuidValue.random() != GuidValue.random())
        #expect(GuidValue.equal(x: guid, y: GuidValue.literal(guid.toString())))
    }

    @Test func listsAreSequencesAndMore() {
        let list: StringList = ["a", "b"]
        _ = list.append("c")
        list.append("d")
        #expect(list.length == 4 && list.count == 4 && list.first() == "a" && list[3] == "d")
        #expect(list.toArray() == ["a", "b", "c", "d"] && list.slice(-1).toArray() == ["d"])
        #expect(list.indexOf("c") == 2 && list.includes("b") && list.last() == "d")
        #expect(StringList.fromArray(["x"]).single() == "x" && StringList.empty.isEmpty)
        var seen = ""
        for item in list { seen += item }
        #expect(seen == "abcd")
        #expect(UnsignedIntList.fromArray([4_000_000_000]).first() == 4_000_000_000)
        #expect(UnsignedLongList.fromArray([BigInteger("18446744073709551615")]).length == 1)
        let link = StreamLink()
        #expect(StreamLinkList.fromArray([link])[0] === StreamLink.castRequired(link))
        let set: StringSet = ["b", "a", "b"]
        #expect(set.size == 2 && set.has("a") && set.values().toArray() == ["b", "a"])
        #expect(set.sortedValues().toArray() == ["a", "b"] && set.delete("a") && !set.has("a"))
        let map = StringMap()
        map.set("k", "v")
        #expect(map.get("k") == "v" && map.getRequired("k") == "v" && map.has("k"))
        #expect(map["k"] == "v" && map.sortedValues().toArray() == ["v"])
    }

    @Test func streamsAreReadAndClosed() throws {
        #expect(try ByteStream.fromBinary(data: Data([1, 2])).readAndClose() == Data([1, 2]))
        #expect(try CharStream.fromString("ab").readAndClose() == "ab")
        let token = CancelToken()
        let heard = Heard()
        token.addListener(heard)
        token.cancel()
        #expect(token.isCancelled && heard.count == 1)
    }

    /// Counts cancellations.
    private final class Heard: CancellationListener, @unchecked Sendable {
        // Used by one thread.
        var count = 0
        override func onCancel() { count += 1 }
    }

    @Test func versionsHaveTwoSpellings() {
        #expect(DataVersion.odataV2 == DataVersion.ODATA_V2)
        #expect(DataVersion.odataV4 == DataVersion.ODATA_V4 && DataVersion.odataV401 == 401)
    }
}

extension GlobalDateTime {
    /// A moment as long ago as it says; for comparisons only.
    fileprivate func minusYears(_ years: Int) -> GlobalDateTime {
        GlobalDateTime.of(year: year - years, month: month, day: 1)
    }
}

@Suite struct MetadataAPITests {
    @Test func documentsAreLookedUpByName() throws {
        let document = try APIModel.document()
        #expect(document.originalText == APIModel.text && document.versionCode == 400)
        document.hasGeneratedProxies = true
        document.proxyVersion = "26.3"
        #expect(document.immortalize() === document && xs_immortalize(document) === document)
        let set = document.entitySet(withName: "Customers")
        #expect(set === document.entitySet(withName: "Customers") && set.localName == "Customers")
        #expect(!set.isRemoved && !set.canBeRemoved && !set.trackChanges)
        #expect(set.entityType === document.entityType(withName: "S.Customer"))
        #expect(set.binding("Orders") === document.entitySet(withName: "Orders"))
        #expect(document.singleton(withName: "Me").isSingleton)
        #expect(document.complexType(withName: "S.Size").localName == "Size")
        let code = document.simpleType(withName: "S.Code")
        #expect(code.derivedFrom.code == DataType.string && code.maxLength == 4)
        #expect(code.annotations.isEmpty && document.pathAnnotations.isEmpty)
        #expect(document.dataSchema(withName: "S").entityTypes.size == 3)
        let method = document.dataMethod(withName: "S.Total")
        #expect(method.isBound && method.isFunction && method.parameters.length == 1)
        let reset = document.dataMethod(withName: "Reset")
        #expect(reset.isAction && reset.isImported && !reset.isRemoved)
        #expect(reset.parameters[0].type.code == DataType.boolean)
        #expect(reset.parameters[0].maxLength == TypeFacets.anyLength)
        #expect(reset.parameters[0].annotations.isEmpty)
    }

    @Test func propertiesTellWhatTheyAre() throws {
        let document = try APIModel.document()
        let type = document.entityType(withName: "S.Customer")
        let id = type.property(withName: "ID")
        #expect(id.isKey && id.name == "ID" && id.dataType.isBasic && id.type === id.dataType)
        #expect(type.keyProperty(name: "ID") === id && type.keyProperties.length == 1)
        #expect(type.property(withName: "Name").defaultValue?.toString() == "none")
        switch type.property(withName: "Balance").dataType.code {
        case DataType.decimal: break
        default: Issue.record("Expected a decimal.")
        }
        let orders = type.property(withName: "Orders")
        #expect(
            orders.dataType.isEntityList && orders.dataType.isList
                && orders.partnerPath == "Customer")
        #expect(type.navigationProperties.length == 1 && !orders.isRemoved)
        let back = document.entityType(withName: "S.Order").property(withName: "Customer")
        var pairs: [String] = []
        for pair in back.referentialConstraints { pairs.append("\(pair.key)=\(pair.value)") }
        #expect(pairs == ["CustomerID=ID"])
        let color = document.enumType(withName: "S.Color")
        #expect(color.member(name: "Blue").intValue() == 2 && color.withInt(1).name == "Red")
        #expect(document.enumType(withName: "S.Flag").withInt(3).name == "A,B" && !color.isRemoved)
        let red = color.member(name: "Red")
        red.canBeRemoved = true
        #expect(color.withInt(1).canBeRemoved && !color.withInt(2).canBeRemoved)
    }
}

@Suite struct EntityAPITests {
    private final class Customer: EntityValue, @unchecked Sendable {
        // Confined as its base class says.
        override var isProxy: Bool { true }
    }

    @Test func entitiesHoldValuesByProperty() throws {
        let document = try APIModel.document()
        let customers = document.entitySet(withName: "Customers")
        let type = customers.entityType
        let entity = EntityValue.ofType(type).inSet(customers)
        #expect(entity.isNew && entity.dataType === type && entity.entitySet === customers)
        let name = type.property(withName: "Name")
        name.setStringValue(in: entity, to: "Ann")
        type.property(withName: "ID").setLongValue(in: entity, to: 7)
        type.property(withName: "Age").setIntValue(in: entity, to: 40)
        type.property(withName: "Balance").setDecimalValue(in: entity, to: BigDecimal("2.50"))
        #expect(
            name.stringValue(from: entity) == "Ann" && name.optionalString(from: entity) == "Ann")
        #expect(type.property(withName: "Age").intValue(from: entity) == 40)
        #expect(type.property(withName: "ID").longValue(from: entity) == 7)
        #expect(StringValue.optional(entity.optionalValue(for: name)) == "Ann")
        #expect(StringValue.unwrap(entity.requiredValue(for: name)) == "Ann")
        entity.setOptionalValue(for: name, to: StringValue.of(optional: nil))
        #expect(entity.dataValue(for: name) == nil)
        entity.setDataValue(for: name, to: StringValue.of("Bo"))
        #expect(entity.entityKey.map.get("ID")?.toString() == "7" && entity.hasKey())
        #expect(entity.hasLocalRelatives == false && entity.hasRelativesWithPendingChanges == false)
        entity.readLink = "Customers(7)"
        #expect(entity.readLink == "Customers(7)" && entity.entityTag == nil)
        entity.rememberOld()
        name.setStringValue(in: entity, to: "Cy")
        let old = try #require(entity.oldEntity)
        #expect(name.stringValue(from: old) == "Bo" && entity.isNewOrChanged(name))
        let copy = entity.copyEntity()
        name.setStringValue(in: copy, to: "Di")
        #expect(name.stringValue(from: entity) == "Cy")
        #expect(EntityValue.castRequired(entity) === entity && !entity.toString().isEmpty)
    }

    @Test func relationsAreListsLinksAndBindings() throws {
        let document = try APIModel.document()
        let type = document.entityType(withName: "S.Customer")
        let customer = EntityValue(withDefaults: false, type: type)
        let orders = type.property(withName: "Orders")
        #expect(orders.entityList(from: customer).isEmpty)
        let order = EntityValue(type: document.entityType(withName: "S.Order"))
        orders.setEntityList(in: customer, to: EntityValueList.fromArray([order]))
        let list = orders.entityList(from: customer)
        #expect(list.length == 1 && list.first() === order && list[0] === order)
        #expect(list.toArray().count == 1 && EntityValueList().appendThis(order).count == 1)
        let back = document.entityType(withName: "S.Order").property(withName: "Customer")
        order.bindEntity(customer, to: back)
        #expect(order.hasChangedBindings)
        order.unbindEntity(nil, from: back)
        back.setEntityValue(in: order, to: customer)
        #expect(back.entityValue(from: order) === customer)
        let photo = type.property(withName: "Photo").streamLink(from: customer)
        #expect(photo.streamProperty?.name == "Photo" && photo.mediaType == nil)
        let picture = EntityValue.ofType(document.entityType(withName: "S.Picture"))
        #expect(picture.mediaStream.readLink == nil)
        let size = ComplexValue(type: document.complexType(withName: "S.Size"))
        let sizes = type.property(withName: "Sizes")
        sizes.setComplexList(in: customer, to: ComplexValueList.fromArray([size]))
        #expect(sizes.complexList(from: customer).length == 1)
        #expect(ComplexValue.castOptional(size.copyComplex()) != nil && size.oldComplex == nil)
    }

    @Test func factoriesAndConvertersServeGeneratedClasses() throws {
        let document = try APIModel.document()
        let type = document.entityType(withName: "S.Customer")
        type.registerFactory(
            ObjectFactory.with(
                create: { Customer(withDefaults: false, type: type) },
                sparse: { Customer(withDefaults: false, type: type, withIndexMap: $0) },
                decode: { try Customer(from: $0) }))
        let made = EntityValue.ofType(type)
        #expect(made is Customer && made.isProxy)
        let typed: [Customer] = ArrayConverter.convert(
            EntityValueList.fromArray([made]).toArray(), [Customer]())
        #expect(typed.count == 1)
        #expect(
            CastRequired<Customer>.from(made) === made && CastOptional<Customer>.from(nil) == nil)
        let name = type.property(withName: "Name")
        name.setStringValue(in: made, to: "Ann")
        let encoder = JSONEncoder()
        let decoder = JSONDecoder()
        decoder.userInfo[CSDLDocument.csdlInfoKey] = document
        let again = try decoder.decode(Customer.self, from: try encoder.encode(made))
        #expect(name.stringValue(from: again) == "Ann")
        let lock = ObjectBase()
        _ = objc_sync_enter(lock)
        _ = objc_sync_exit(lock)
        #expect(MetadataLock() !== MetadataLock())
    }
}

@Suite struct QueryAPITests {
    @Test func queriesReadAsTheirURL() throws {
        let document = try APIModel.document()
        let customers = document.entitySet(withName: "Customers")
        let type = customers.entityType
        let name = type.property(withName: "Name")
        let age = type.property(withName: "Age")
        let orders = type.property(withName: "Orders")
        let query = DataQuery().from(customers)
            .select(name, age)
            .filter(name.equal("Ann").and(age.greaterEqual(18)).or(name.isNull().not()))
            .orderBy(name, SortOrder.descending).thenBy(age)
            .expand(orders, withQuery: DataQuery().top(2))
            .skip(1).top(5).custom("x", "1")
        #expect(
            query.toString()
                == "Customers?$filter=Name%20eq%20'Ann'%20and%20Age%20ge%2018%20or%20not%20(Name%20eq%20null)&$orderby=Name%20desc,Age&$skip=1&$top=5&$select=Name,Age&$expand=Orders($top=2)&x=1"
        )
        #expect(
            query.entitySet === customers && query.queryFilter != nil && query.sortItems.length == 2
        )
        let other = DataQuery.newIfNull(query: nil).fromDefault(customers).selectAll()
        #expect(other.entitySet === customers && DataQuery.newIfNull(query: query) === query)
        let byKey = DataQuery().from(customers)
            .withKey(EntityKey().with(name: "ID", value: LongValue.of(7)))
        #expect(byKey.toString() == "Customers(7)")
        #expect(DataQuery().from(customers).count().toString() == "Customers/$count")
        let verbatim = DataQuery().from(customers)
        verbatim.url = "Customers?$top=1"
        #expect(verbatim.url == "Customers?$top=1")
    }

    @Test func theDirectionHasANameBesideThatOfFoundation() throws {
        let document = try APIModel.document()
        let customers = document.entitySet(withName: "Customers")
        let name = customers.entityType.property(withName: "Name")
        func query(_ order: SAPOData.SortOrder) -> DataQuery {
            DataQuery().from(customers).orderBy(name, order)
        }
        let down: SAPOData.SortOrder = .descending
        #expect(query(down).toString() == "Customers?$orderby=Name%20desc")
        #expect(query(SortOrder.ascending).toString() == "Customers?$orderby=Name")
    }

    @Test func boundOperationsTakeAnyValueThatCanBeBoundTo() throws {
        let document = try APIModel.document()
        let customers = document.entitySet(withName: "Customers")
        let total = document.dataMethod(withName: "S.Total")
        let entity = EntityValue.ofType(customers.entityType).inSet(customers)
        customers.entityType.property(withName: "ID").setLongValue(in: entity, to: 7)
        // Generated classes hand it to a queue, and those of older generations as a value of any kind.
        let target: any BindingPath = entity
        let later: @Sendable () -> DataQuery = { DataQuery().bind(target).invoke(total) }
        let value: DataValue? = entity
        for query in [
            DataQuery().bind(entity).invoke(total), later(),
            DataQuery().bind(value).invoke(total),
        ] { #expect(query.toString() == "Customers(7)/S.Total()") }
    }

    @Test func filtersHaveOperatorsFunctionsAndLambdas() throws {
        let document = try APIModel.document()
        let customers = document.entitySet(withName: "Customers")
        let type = customers.entityType
        let name = type.property(withName: "Name")
        let age = type.property(withName: "Age")
        let orders = type.property(withName: "Orders")
        let orderID = document.entityType(withName: "S.Order").property(withName: "ID")
        let o = DataPath.lambda("o")
        func text(_ filter: QueryFilter) -> String {
            DataQuery().from(customers).filter(filter).toString()
                .replacingOccurrences(of: "%20", with: " ")
                .replacingOccurrences(of: "Customers?$filter=", with: "")
        }
        #expect(text(name == "Ann") == "Name eq 'Ann'" && text(age >= 18) == "Age ge 18")
        #expect(
            text(name.startsWith("A").and(name.contains("n")))
                == "startswith(Name,'A') and contains(Name,'n')")
        #expect(text(orders.any(o, o.path(orderID).equal(Int64(1)))) == "Orders/any(o:o/ID eq 1)")
        #expect(
            text(orders.toPath().all(o, o.path(orderID).notEqual(Int64(1))))
                == "Orders/all(o:o/ID ne 1)")
        #expect(
            text(name.toLower().indexOf("a").greaterThan(0)) == "indexof(tolower(Name),'a') gt 0")
        #expect(
            text(name.length().lessThan(3) || age.lessEqual(1)) == "length(Name) lt 3 or Age le 1")
        #expect(
            text(
                type.property(withName: "Color").equal(
                    document.enumType(withName: "S.Color").withInt(1))) == "Color eq S.Color'Red'")
    }

    @Test func resultsAreReadByTheirShape() throws {
        let document = try APIModel.document()
        let query = DataQuery().from(document.entitySet(withName: "Customers"))
        let entity = EntityValue.ofType(document.entityType(withName: "S.Customer"))
        let result = QueryResult(query: query, result: EntityValueList.fromArray([entity]))
        #expect(try result.entityList().length == 1 && result.requiredEntity() === entity)
        #expect(try result.count() == 1 && result.result != nil && result.checkedResult() != nil)
        #expect(try QueryResult(query: query, result: nil).optionalEntity() == nil)
        #expect(result.messages.isEmpty)
        #expect(
            failure {
                try QueryResult(query: query, result: nil).requiredEntity()
            }
                == Failure(
                    QueryResultError.self, .unexpectedResult, "Expected an entity, found none."))
    }
}
