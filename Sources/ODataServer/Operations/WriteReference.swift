import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

extension Exchange {
    /// Writes of `entity/navigation/$ref` (Protocol 4.01, section 11.4.6): links are foreign keys here, on one side
    /// or the other.
    func writeReference(_ end: PathWalker.End, _ query: Query) throws -> ResponseMessage {
        guard let step = end.target.step else {
            throw PathWalker.invalid("Expected a navigation property before $ref.")
        }
        let changes = EntityChanges(self)
        let source = step.target
        switch (request.method, step.navigation.isCollection) {
        case ("PUT", false), ("POST", true):
            try requireJSONBody()
            let target = try changes.target(of: try reader.reference(request.body))
            try link(source, step.navigation, to: target)
        case ("DELETE", false):
            try unlink(source, step.navigation, from: end.target)
        case ("DELETE", true):
            var target = end.target
            if let id = query.customOptions.first(where: { $0.name == "$id" })?.value {
                target = try memberTarget(try changes.target(of: id), of: end.target)
            } else if !target.isSingle {
                throw PathWalker.invalid("Expected a key or $id that names the link.")
            }
            guard try TargetRows(self).exists(target) else { throw PathWalker.missing() }
            try unlink(source, step.navigation, from: target)
        default:
            throw methodNotAllowed(
                step.navigation.isCollection ? "GET, POST, DELETE" : "GET, PUT, DELETE")
        }
        return ResponseMessage(status: 204)
    }

    /// The row of `named` as far as it is one of the linked rows.
    private func memberTarget(_ named: RowTarget, of linked: RowTarget) throws -> RowTarget {
        guard named.table.id == linked.table.id else {
            throw PathWalker.invalid("Expected an entity of the collection.")
        }
        var target = named
        target.conditions += linked.conditions
        return target
    }

    private func link(_ source: RowTarget, _ navigation: NavigationMapping, to target: RowTarget)
        throws
    {
        let changes = EntityChanges(self)
        try checkLink(source)
        try SQLFailure.translated {
            if let id = try rowID(navigation, of: source) {
                guard target.table.id == navigation.target,
                    let other = try TargetRows(self).rowID(of: target)
                else {
                    throw PathWalker.invalid("Expected the entity-id of an existing entity.")
                }
                try LinkRows(self).add(navigation, from: id, of: source.table, to: other)
            } else if changes.holdsKey(navigation, in: source.table) {
                let values = try changes.foreignKey(navigation, in: source.table, to: target)
                _ = try TargetRows(self).update(source, values)
            } else {
                guard target.table.id == navigation.target, try TargetRows(self).exists(target)
                else {
                    throw PathWalker.invalid("Expected the entity-id of an existing entity.")
                }
                let values = try changes.dependentColumns(navigation, of: source)
                _ = try TargetRows(self).update(target, values)
            }
        }
    }

    private func unlink(
        _ source: RowTarget, _ navigation: NavigationMapping, from target: RowTarget
    ) throws {
        let changes = EntityChanges(self)
        try checkLink(source)
        try SQLFailure.translated {
            if let id = try rowID(navigation, of: source) {
                let other = try TargetRows(self).rowID(of: target)
                try LinkRows(self).remove(navigation, from: id, of: source.table, to: other)
            } else if changes.holdsKey(navigation, in: source.table) {
                let nulls = try changes.foreignKey(navigation, in: source.table, to: nil)
                _ = try TargetRows(self).update(source, nulls)
            } else if case .columns(let pairs) = navigation.storage {
                let nulls = target.table.columns.filter { column in
                    pairs.contains { $0.target == column.name }
                }.map { (column: $0, value: Scalar.null) }
                _ = try TargetRows(self).update(target, nulls)
            }
        }
    }

    /// The number of the row whose links a table of links holds; nil where foreign keys hold them.
    ///
    /// - Throws: 400 for contained entities, which are part of the row for good.
    private func rowID(_ navigation: NavigationMapping, of source: RowTarget) throws -> Int64? {
        guard !navigation.containsTarget else {
            throw PathWalker.invalid("Expected a link, found entities that are part of another.")
        }
        guard case .linkTable = navigation.storage else { return nil }
        guard let id = try TargetRows(self).rowID(of: source) else { throw PathWalker.missing() }
        return id
    }

    private func checkLink(_ source: RowTarget) throws {
        guard model.takesChanges(source.table) else { throw EntityChanges.readOnly(source.table) }
        try model.rules?.require(.update, of: source.table)
        guard let key = try TargetRows(self).key(of: source) else { throw PathWalker.missing() }
        try Preconditions(request.headers).checkChange(
            of: try EntityTagger(self).tagBeforeChange(of: key, in: source.table), isRequired: false
        )
    }
}
