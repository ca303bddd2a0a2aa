import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import ODataWire

extension Exchange {
    /// A single entity (Protocol 4.01, section 11.2.2): 404 when a key names none, 204 when a link leads nowhere.
    func readEntity(_ target: RowTarget, _ original: Query) throws -> ResponseMessage {
        let plan = CollectionPlan(target: target, original: original, position: nil)
        guard let page = try oneRow(target, original), page.rowCount > 0 else {
            return try absent(target)
        }
        guard var row = try RowJSON(self, plan, page), row.isEntity(0, page.chunks[0]) else {
            return try answer(page.values, plan) ?? absent(target)
        }
        let tag = try row.tag(of: 0, in: page.chunks[0])
        return answer(tagged: tag.map { EntityTag($0) }) {
            var json = JSONWriter(reservingBytes: 512)
            json.beginObject()
            writer.writeContext(contextURL(target, original, kind: .entity), to: &json)
            row.appendMembers(of: 0, page.chunks[0], tag: tag, to: &json)
            json.endObject()
            return json.bytes
        }
    }

    /// The answer to a read of one entity that may have others below it; nil for a row whose key is none, which is no entity.
    private func answer(_ values: [StructureValue], _ plan: CollectionPlan) throws
        -> ResponseMessage?
    {
        var rows = values
        try nestedPages?.cut(&rows, of: plan.target.table, plan.original.expand)
        try EntityTagger(self).tag(&rows, of: plan.target.table)
        guard let row = rows.first else { return nil }
        return try answer(tagged: row.control.etag.map { EntityTag($0) }) {
            writer.entity(
                shown(try plan.trimmed(row, graph: graph)), declared: plan.target.structure,
                context: contextURL(plan.target, plan.original, kind: .entity))
        }
    }

    /// 304 for an entity that the client has as it is, else what `body` makes.
    private func answer(
        tagged tag: EntityTag?, _ body: () throws -> [UInt8]
    ) rethrows -> ResponseMessage {
        if Preconditions(request.headers).isNotModified(tag) {
            return ResponseMessage(status: 304, headers: tagHeaders(tag))
        }
        var answer = json(try body())
        if let tag { answer.headers["ETag"] = tag.description }
        if omitsNulls { answer.headers["Preference-Applied"] = "omit-values=nulls" }
        return answer
    }

    /// The target's row as the query wants it; nil where the target leads nowhere.
    private func oneRow(_ target: RowTarget, _ original: Query) throws -> ResultPage? {
        guard original.apply.isEmpty else {
            throw ODataError(
                .invalidQuery, "Expected a collection for $apply, found one entity.", status: 400)
        }
        guard !target.isEmpty else { return nil }
        if let key = plainKey(target, original) { return try row(key, of: target) }
        var query = Query(entitySet: target.table.path)
        query.select = original.select
        query.selectsAll = original.selectsAll
        query.expand = original.expand
        query.aliases = original.aliases
        let plan = CollectionPlan(target: target, original: query, position: nil)
        var read = plan.query(limit: 1)
        read.compute = original.compute
        read.expand = nestedPages?.widened(read.expand, from: target.table) ?? read.expand
        return try ResultReader(self).run(read)
    }

    /// The one value of the key where nothing else is asked for; nil for every other read.
    private func plainKey(_ target: RowTarget, _ original: Query) -> Scalar? {
        let table = target.table
        guard target.path == nil, target.conditions.count == 1, table.keyColumns.count == 1,
            target.conditions[0].column.name == table.columns[table.keyColumns[0]].name,
            original.select.isEmpty, original.expand.isEmpty, original.compute.isEmpty,
            original.aliases.isEmpty, access?.restrictsRows != true,
            !model.narrow.concerns(table)
        else { return nil }
        return target.conditions[0].value
    }

    // Hot: ServerFigures
    /// The row with a key, by a query that is made and compiled once for each table.
    private func row(_ key: Scalar, of target: RowTarget) throws -> ResultPage {
        let queries = model.queries
        let bound = try queries.prepared(
            entityOf: target.table.path, key: key, { Self.query(for: key, in: target.table) },
            check: { $0 })
        return try source.run(bound, queries.reader)
    }

    /// Reads the row with a key of one property, with nothing else asked for.
    static func query(for key: Scalar, in table: TableMapping) -> Query {
        let target = RowTarget(
            table: table, conditions: zip(table.keys, [key]).map { ($0, $1) }, isSingle: true)
        return CollectionPlan(
            target: target, original: Query(entitySet: table.path), position: nil
        ).query(limit: 1)
    }

    func absent(_ target: RowTarget) throws -> ResponseMessage {
        guard target.isLink else { throw PathWalker.missing() }
        return ResponseMessage(status: 204)
    }

    func tagHeaders(_ tag: EntityTag?) -> HeaderFields {
        tag.map { ["ETag": $0.description] } ?? HeaderFields()
    }

    /// `entity/$ref`: its entity-id.
    func readReference(_ target: RowTarget) throws -> ResponseMessage {
        guard let key = try TargetRows(self).key(of: target) else { return try absent(target) }
        return json(
            writer.reference(
                try entityID(key, of: target), context: root + "$metadata#$ref"))
    }

    /// A structural property, or its bare value (Protocol 4.01, sections 11.2.4 and 11.2.4.1).
    func readProperty(
        _ target: RowTarget, _ column: ODataSQL.ColumnMapping, raw: Bool
    ) throws -> ResponseMessage {
        guard let key = try TargetRows(self).key(of: target) else { throw PathWalker.missing() }
        let values = try shown(column, of: target)
        let tag = try EntityTagger(self).tag(of: key, in: target.table)
        if Preconditions(request.headers).isNotModified(tag) {
            return ResponseMessage(status: 304, headers: tagHeaders(tag))
        }
        guard values[0] != .null else { return ResponseMessage(status: 204) }
        var answer: ResponseMessage
        if raw {
            answer = Self.rawValue(values[0], of: column)
            try RawContent.requireAcceptable(answer.headers["Content-Type"] ?? "", request)
        } else {
            let id = try entityID(key, of: target).dropFirst(root.count)
            answer = json(
                writer.property(
                    .scalar(values[0]), named: column.path, as: column.type,
                    context: "\(root)$metadata#\(id)/\(column.path)"))
        }
        if let tag { answer.headers["ETag"] = tag.description }
        return answer
    }

    /// The value of a column; null for one that is none of the column's type, as in the entity.
    private func shown(_ column: ODataSQL.ColumnMapping, of target: RowTarget) throws -> [Scalar] {
        do {
            return try TargetRows(self).values([column.name], of: target) ?? [.null]
        } catch let error as ODataError where error.code == .storage && error.underlying == nil {
            return [.null]
        }
    }

    /// A complex property, a collection or a member of one: read with its entity, of which it is a part.
    func readStructure(_ target: RowTarget, _ names: [String]) throws -> ResponseMessage {
        var query = Query(entitySet: target.table.path)
        query.select = [SelectTerm(ExpressionPath(names[0]))]
        guard var rows = try oneRow(target, query)?.values, !rows.isEmpty else {
            throw PathWalker.missing()
        }
        try EntityTagger(self).tag(&rows, of: target.table)
        guard let row = rows.first else { return try absent(target) }
        let tag = row.control.etag.map { EntityTag($0) }
        if Preconditions(request.headers).isNotModified(tag) {
            return ResponseMessage(status: 304, headers: tagHeaders(tag))
        }
        var value = ODataValue.structure(row)
        var type: TypeReference?
        for name in names {
            guard let structure = value.structure,
                let slot = graph[structure.type].slot(named: name)
            else { return ResponseMessage(status: 204) }
            type = graph[structure.type].properties[slot].type
            value = structure.slots[slot] ?? .scalar(.null)
        }
        guard let type, value.scalar != .null else { return ResponseMessage(status: 204) }
        let key = try EntityTagger.key(of: row, in: target.table)
        let id = try entityID(key, of: target).dropFirst(root.count)
        let path = names.joined(separator: "/")
        var answer = json(
            writer.property(
                value, named: path, as: type, context: "\(root)$metadata#\(id)/\(path)"))
        if let tag { answer.headers["ETag"] = tag.description }
        return answer
    }

    private static func rawValue(_ value: Scalar, of column: ODataSQL.ColumnMapping)
        -> ResponseMessage
    {
        if case .binary(let bytes) = value {
            return ResponseMessage(
                status: 200, headers: ["Content-Type": "application/octet-stream"], body: bytes)
        }
        return ResponseMessage(
            status: 200, headers: ["Content-Type": "text/plain;charset=utf-8"],
            body: Array(Lexical.text(value, as: column.type.primitive).utf8))
    }
}
