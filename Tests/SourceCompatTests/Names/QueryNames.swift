import Foundation
import SAPOData

// Section 7: queries.

enum QueryNames {
    static func queries(_ set: EntitySet, _ p: Property, _ method: DataMethod) -> DataQuery {
        let inner = DataQuery.newIfNull(query: nil).fromDefault(set)
        return DataQuery().from(set).withKey(EntityKey()).select(p, p).selectAll().selectKey()
            .expand(p).expand(p, p).expand(p, withQuery: inner).expandWithQuery(p, inner)
            .filter(p.equal("a")).where(p.notEqual("b")).orderBy(p).orderBy(p, .descending)
            .thenBy(p).thenBy(p, SortOrder.ascending).skip(1).top(1).page(1).count()
            .inlineCount().custom("a", "b").invoke(method).invoke(method, ParameterList.empty)
            .bind(set)
    }

    static func settings(_ query: DataQuery, _ set: EntitySet) {
        query.entitySet = set
        query.url = "Products?$filter=A eq 1"
        _ = (query.entityType, query.entityKey, query.derivedType, query.propertyPath)
        _ = (query.queryFilter, query.selectItems, query.expandItems, query.sortItems)
        _ = (query.allSelected, query.keySelected, query.countOnly, query.countInline)
        _ = (query.skipCount, query.topCount, query.pageSize, query.skipToken)
        _ = (query.deltaToken, query.deltaTime, query.trackChanges, query.deltaResponse)
        _ = (query.streamResponse, query.expectSingle, query.searchText, query.customOptions)
        _ = (query.aliasValues, query.methodCall, query.groupTransform, query.transformValues)
        _ = (query.dataFormat, query.url, query.requestPath, query.queryString)
        _ = (query.copy(), query.copyMutable(), query.toString())
    }

    static func comparisons(_ p: Property, _ flag: EnumValue, _ type: DataType) -> [QueryFilter] {
        let o = DataPath.lambda("o")
        return [
            p.equal("a"), p.equal(1), p.equal(Int64(1)), p.equal(true), p.equal(1.5),
            p.equal(BigDecimal(1)), p.equal(BigInteger(1)), p.equal(StringValue.of("a")),
            p.notEqual(1), p.greaterThan(1), p.greaterEqual(1), p.lessThan(1), p.lessEqual(1),
            p.isNull(), p.notNull(), p.has(flag), p.isType(type), p.contains("a"),
            p.startsWith("a"), p.endsWith("a"), p.any(o, o.path(p).equal(1)),
            p.all(o, o.path(p).equal(1)), p == "a", p != "a", p < 1, p <= 1, p > 1, p >= 1,
            (p == "a").and(p == 1), (p == "a").or(p == 1), (p == "a").not(),
            p == "a" && p == 1, p == "a" || p == 1, !(p == "a"), QueryFilter.from(p.isNull()),
        ]
    }

    static func computed(_ p: Property, _ type: DataType) -> [QueryValue] {
        [
            p.add(1), p.subtract(1), p.multiply(1), p.divide(1), p.modulo(1), p.negate(),
            p.concat("a"), p.indexOf("a"), p.length(), p.substring(1), p.substring(1, 2),
            p.toLower(), p.toUpper(), p.trim(), p.year(), p.month(), p.day(), p.hour(), p.minute(),
            p.second(), p.fractionalSeconds(), p.date(), p.time(), p.totalOffsetMinutes(),
            p.ceiling(), p.floor(), p.round(), p.geoLength(), p.asType(type), p + p, p * p,
        ]
    }

    static func aggregates(_ p: Property) -> [AggregateValue] {
        [p.sum("a"), p.average("a"), p.minimum("a"), p.maximum("a"), p.countDistinct("a")]
    }

    static func functions(_ p: Property) {
        _ = (QueryFunction.toLower(p), QueryFunction.contains(p, StringValue.of("a")))
        _ = (QueryFunction.startsWith(p, StringValue.of("a")), QueryFunction.year(p))
        _ = (QueryFunction.now(), QueryFunction.minDateTime(), QueryFunction.maxDateTime())
        _ = (QueryFunction.stringLength(p), QueryFunction.concat(p, p))
        _ = QueryOperator.self
        let trees: [Any.Type] = [QueryFunctionCall.self, QueryOperatorCall.self, QueryAlias.self]
        _ = trees
    }

    static func items(_ p: Property, _ query: DataQuery) {
        let sort = SortItem.of(p)
        _ = (sort.value, sort.order, sort.path, sort.toProperty())
        let expand = ExpandItem.of(p).withQuery(query)
        _ = (expand.path, expand.query, expand.toProperty(), expand.isHidden)
        let select = SelectItem.of(p)
        _ = (select.path, select.toProperty(), select.isHidden)
    }

    static func results(_ query: DataQuery, _ result: QueryResult) throws {
        _ = QueryResult(query: query, result: nil)
        _ = QueryResult(query: query, result: nil, status: 200)
        _ = try (result.entityList(), result.requiredEntity(), result.optionalEntity())
        _ = try (result.complexList(), result.requiredComplex(), result.optionalComplex())
        _ = try (result.basicList(), result.requiredBasic(), result.optionalBasic())
        let counts: (Int64, Int64) = try (result.count(), result.inlineCount())
        _ = try (counts, result.nextLink(), result.nextQuery(), result.deltaLink())
        _ = try (result.entityStream(), result.deltaStream(), result.checkedResult())
        _ = (result.result, result.query, result.status, result.error)
        try result.check()
    }

    static func texts(_ document: CSDLDocument, _ entity: EntityValue, _ query: DataQuery) throws {
        let context = DataContext(csdl: document)
        context.bindOptions = DataContext.sendToClient | DataContext.fullMetadata
        context.versionCode = DataVersion.odataV4
        let missing: EntityValue? = nil
        _ = JsonValue.fromEntityValue(entity, context: context).toString()
        _ = JsonValue.fromEntityValue(missing, context: context).toString()
        _ = JsonValue.fromEntityList(EntityValueList(), context: context)
        _ = JsonValue.fromBasicList(StringList(), context: context)
        _ = try QueryParser(context: context).parse(requestPath: "a", queryString: "b")
        _ = QueryFormatter.format(query: query, context: context)
    }
}
