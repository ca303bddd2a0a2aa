import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

extension Exchange {
    /// `POST` to a collection (Protocol 4.01, section 11.4.2).
    func createEntity(_ target: RowTarget) throws -> ResponseMessage {
        try Preconditions(request.headers).checkCreation()
        try model.rules?.require(.insert, of: target.table)
        return try created(try entityBody(of: target.table, as: target.structure), in: target)
    }

    /// Makes an entity among the rows that a path leads to, and answers with it.
    func created(
        _ value: StructureValue, in target: RowTarget, fixed: [EntityChanges.Assignment] = [],
        _ strictness: ValueRules.Strictness = .strict
    ) throws -> ResponseMessage {
        let navigation = target.step?.navigation
        let isContained = navigation?.containsTarget == true
        let made = try EntityChanges(self).make(
            value, in: target.table,
            fixed: fixed + target.conditions.map { ($0.column, $0.value) },
            parent: isContained ? target.step?.sourceID : nil, strictness)
        if let step = target.step, let source = step.sourceID, !isContained,
            let row = try TargetRows(self, sees: .all).rowID(of: made.row)
        {
            try LinkRows(self).add(step.navigation, from: source, of: step.source, to: row)
        }
        return try answer(
            created: true, row: isContained ? made.row.named(made.key, in: target) : made.row,
            key: made.key, returns: preferences.returns ?? .representation, expanding: value)
    }

    /// `PATCH` or `PUT` of an entity (Protocol 4.01, sections 11.4.3 and 11.4.4). A key that names none is 404.
    func updateEntity(_ target: RowTarget) throws -> ResponseMessage {
        try model.rules?.require(.update, of: target.table)
        if try isUpsert(target) {
            try model.rules?.require(.insert, of: target.table)
            return try created(
                try entityBody(of: target.table, as: target.structure), in: target)
        }
        let key = try checkedKey(of: target)
        let row = try changed(target, key)
        let value = try entityBody(of: target.table, as: TargetRows(self).type(of: row))
        try EntityChanges(self).update(row, with: value, replaces: request.method == "PUT")
        return try answer(
            created: false, row: row, key: key, returns: preferences.returns ?? .minimal)
    }

    /// True where the key names no entity, and the document lets such a request make it (Protocol 4.01, section 11.4.4).
    /// With `If-Match` it never does.
    private func isUpsert(_ target: RowTarget) throws -> Bool {
        guard model.isDocument, target.isSingle, target.path == nil, target.step == nil,
            !target.table.keys.isEmpty, request.headers["If-Match"] == nil,
            Set(target.conditions.map(\.column.name)) == Set(target.table.keys.map(\.name)),
            model.rules?.isUpsertable(target.table) == true
        else { return false }
        return try TargetRows(self).key(of: target) == nil
    }

    /// The row to change; a row inside another one is named by its number, for others may have its key.
    private func changed(_ target: RowTarget, _ key: [Scalar]) throws -> RowTarget {
        guard model.isDocument, let id = try TargetRows(self).rowID(of: target) else {
            return EntityChanges(self).row(key, of: target.table)
        }
        var row = RowTarget.row(id, of: target.table)
        row.conditions = zip(target.table.keys, key).map { ($0, $1) }
        (row.path, row.step) = (target.path, target.step)
        return row
    }

    /// `PUT`, `PATCH` or `DELETE` of one property or its raw value.
    func updateProperty(_ target: RowTarget, _ column: ODataSQL.ColumnMapping, raw: Bool) throws
        -> ResponseMessage
    {
        guard !model.isDocument else {
            return try updateStructure(
                target, column.path.split(separator: "/").map(String.init), column: column,
                raw: raw)
        }
        if let rules = model.rules {
            try rules.require(.update, of: target.table)
            try PropertyChange(self).requireSettable(
                [column.path], of: target.table.structure, rules)
        }
        let key = try checkedKey(of: target)
        guard target.table.isWritable, column.isWritable,
            !target.table.keys.contains(where: { $0.name == column.name })
        else { throw EntityChanges.readOnly(target.table) }
        var scalar = Scalar.null
        if request.method != "DELETE" {
            scalar = raw ? try rawBody(column) : try propertyBody(column)
        }
        if scalar == .null, !column.type.isNullable {
            throw ODataError(
                .invalidPayload, "Expected a value for a property that is not nullable.",
                at: .path(column.path), status: 400)
        }
        let row = EntityChanges(self).row(key, of: target.table)
        if model.rules != nil, let slot = column.slots.first {
            var value = StructureValue(type: target.table.structure, in: graph)
            value.slots[slot] = .scalar(scalar)
            try EntityChanges(self).update(row, with: value, replaces: false)
        } else {
            try SQLFailure.translated { _ = try TargetRows(self).update(row, [(column, scalar)]) }
        }
        return ResponseMessage(
            status: 204, headers: tagHeaders(try EntityTagger(self).tag(of: key, in: target.table)))
    }

    /// `DELETE` of an entity (Protocol 4.01, section 11.4.5).
    func deleteEntity(_ target: RowTarget) throws -> ResponseMessage {
        guard model.takesChanges(target.table) else { throw EntityChanges.readOnly(target.table) }
        if model.isDocument, target.table.parent == nil, graph[target.table.entitySet].isSingleton {
            throw methodNotAllowed("GET, HEAD, PATCH, PUT")
        }
        try model.rules?.require(.delete, of: target.table)
        let key = try checkedKey(of: target)
        let row = try changed(target, key)
        try LinkRows(self).touchContainer(of: row)
        if model.isDocument, let id = try TargetRows(self).rowID(of: row) {
            try LinkRows(self).touchLinked(with: id, of: row.table)
        }
        try SQLFailure.translated { _ = try TargetRows(self).delete(row) }
        return ResponseMessage(status: 204)
    }

    /// The key of the row to change, after its preconditions.
    ///
    /// - Throws: 404 without row, 412 and 428 as ``Preconditions``.
    func checkedKey(of target: RowTarget) throws -> [Scalar] {
        guard target.isSingle else { throw methodNotAllowed("GET, HEAD, POST") }
        guard model.takesChanges(target.table) else { throw EntityChanges.readOnly(target.table) }
        guard let key = try TargetRows(self).key(of: target) else { throw PathWalker.missing() }
        try Preconditions(request.headers).checkChange(
            of: try EntityTagger(self).tagBeforeChange(of: key, in: target.table),
            isRequired: model.configuration.requiresPreconditions)
        return key
    }

    func methodNotAllowed(_ allowed: String) -> ODataError { AllowedMethods.error(allowed) }

    /// The answer to a write: nothing, or the entity as it stands now.
    func answer(
        created: Bool, row: RowTarget, key: [Scalar], returns: Preferences.Return,
        expanding value: StructureValue? = nil
    ) throws -> ResponseMessage {
        let table = row.table
        let id = try entityID(key, of: row)
        var answer: ResponseMessage
        var returns = returns
        // What it is now may not be the client's to see.
        if let access, returns == .representation, access.restricts(table, .read),
            try !TargetRows(self, sees: .those(.read)).exists(row)
        {
            returns = .minimal
        }
        if returns == .minimal {
            answer = ResponseMessage(
                status: 204,
                headers: tagHeaders(try EntityTagger(self).tag(of: key, in: table)))
            if created { answer.headers["OData-EntityId"] = id }
        } else {
            var query = Query(entitySet: table.path)
            query.expand = value.map { Self.expansions(of: $0, in: graph) } ?? []
            answer = try readEntity(
                row.path == nil ? EntityChanges(self).row(key, of: table) : row, query)
            answer.status = created ? 201 : 200
        }
        if created { answer.headers["Location"] = id }
        if preferences.returns != nil {
            var applied = Preferences()
            applied.returns = returns
            if omitsNulls, returns == .representation { applied.omittedValues = "nulls" }
            if let text = applied.text() { answer.headers["Preference-Applied"] = text }
        }
        return answer
    }

    /// Entities that were made together come back together (Protocol 4.01, section 11.4.2.2).
    static func expansions(
        of value: StructureValue, in graph: MetadataGraph, depth: Int = 0
    ) -> [ExpandTerm] {
        guard depth < 8 else { return [] }
        // What is no entity needs no look at its property.
        return value.slots.indices.compactMap { slot in
            switch value.slots[slot] {
            case .structure?, .list?: break
            default: return nil
            }
            let properties = graph[value.type].properties
            guard properties.indices.contains(slot), properties[slot].isNavigation else {
                return nil
            }
            let property = properties[slot]
            let nested: [StructureValue]
            switch value.slots[slot] {
            case .structure(let child)?: nested = [child]
            case .list(let children)?: nested = children.compactMap(\.structure)
            default: return nil
            }
            guard let first = nested.first else { return nil }
            var options = NestedOptions()
            options.expand = expansions(of: first, in: graph, depth: depth + 1)
            return ExpandTerm(ExpressionPath(property.name), options: options)
        }
    }
}

extension Exchange {
    /// The entity in the request's body.
    ///
    /// - Throws: 415 for a body that is not JSON, 400 for one that does not fit the type.
    func entityBody(of table: TableMapping, as type: StructureID) throws -> StructureValue {
        try requireJSONBody()
        return try reader.entity(
            request.body, of: type, in: table.parent == nil ? table.entitySet : nil)
    }

    var reader: EntityJSONReader {
        EntityJSONReader(graph, dialect: .v401, isRequest: true)
    }

    func requireJSONBody() throws {
        try RequestRules.requireJSON(request)
    }

    /// `PUT`, `PATCH` or `DELETE` of a property of an entity, and `POST` to a collection of values: as a change of the
    /// entity that brings this property alone.
    func updateStructure(
        _ target: RowTarget, _ names: [String], column: ODataSQL.ColumnMapping? = nil,
        raw: Bool = false
    ) throws -> ResponseMessage {
        try model.rules?.require(.update, of: target.table)
        let key = try checkedKey(of: target)
        let row = try changed(target, key)
        let type = try TargetRows(self).type(of: row)
        var value = StructureValue(type: type, in: graph)
        guard let last = try PropertyChange(self).reference(names, of: type) else {
            throw EntityChanges.readOnly(target.table)
        }
        if let rules = model.rules {
            try PropertyChange(self).requireSettable(names, of: type, rules)
        }
        var member = ODataValue.null
        if request.method == "DELETE" {
            if last.isCollection { member = .list([]) }
        } else if raw, let column {
            member = .scalar(try rawBody(column))
        } else {
            try requireJSONBody()
            member = try reader.property(request.body, as: last)
            if request.method == "PUT", case .structure(let inner) = member {
                member = .structure(try ValueRules(graph: graph).completed(inner, .strict))
            }
            if request.method == "POST" {
                member = try PropertyChange(self).appending(member, to: names, of: row)
            }
        }
        guard !member.isNull || last.isNullable else {
            throw ODataError(
                .invalidPayload, "Expected a value for a property that is not nullable.",
                at: .path(names.joined(separator: "/")), status: 400)
        }
        try PropertyChange(self).put(member, at: names, in: &value)
        try EntityChanges(self).update(row, with: value, replaces: false)
        return ResponseMessage(
            status: 204, headers: tagHeaders(try EntityTagger(self).tag(of: key, in: target.table)))
    }

    private func propertyBody(_ column: ODataSQL.ColumnMapping) throws -> Scalar {
        try requireJSONBody()
        return try reader.property(request.body, as: column.type).scalar ?? .null
    }

    func rawBody(_ column: ODataSQL.ColumnMapping) throws -> Scalar {
        try RawContent.requireValue(
            request, isEmpty: request.body.isEmpty && transfer?.intake == nil)
        let body =
            try transfer?.intake?.bytes(
                in: database, limit: model.configuration.maximumBodyBytes) ?? request.body
        if column.type.primitive == .binary { return .binary(body) }
        guard let text = String(validating: body, as: UTF8.self) else {
            throw ODataError(.malformedText, "Expected UTF-8 text.", status: 400)
        }
        return try Lexical.parse(text, as: column.type.primitive ?? .string)
    }
}
