import ODataModel

extension QueuedRequest {
    /// A rough count of the bytes that the request takes when written.
    package var estimatedBytes: Int {
        64 + (body?.estimatedBytes ?? 0)
    }

    /// The request with `row` in the place of `old` everywhere: two rows turned out to be one entity.
    package func replacing(_ old: RowReference, by row: RowReference) -> QueuedRequest {
        var result = self
        func mapped(_ other: RowReference) -> RowReference { other == old ? row : other }
        result.target = mapped(target)
        result.navigation?.row = navigation?.row.map(mapped)
        result.body = body?.replacing(old, by: row)
        result.principals = principals.map(mapped)
        result.effects = effects.map { effect in
            switch effect {
            case .values(let target, let values, let principal):
                .values(row: mapped(target), values: values, principal: principal.map(mapped))
            case .addLink(let link): .addLink(link.replacing(old, by: row))
            case .removeLink(let link): .removeLink(link.replacing(old, by: row))
            case .clearLinks(let source, let navigation):
                .clearLinks(source: mapped(source), navigation: navigation)
            case .hide(let target): .hide(mapped(target))
            }
        }
        return result
    }
}

extension LinkReference {
    fileprivate func replacing(_ old: RowReference, by row: RowReference) -> LinkReference {
        LinkReference(
            source: source == old ? row : source, navigation: navigation,
            target: target == old ? row : target)
    }
}

extension RequestBody {
    fileprivate var estimatedBytes: Int {
        Self.bytes(.structure(values)) + inline.reduce(0) { $0 + $1.body.estimatedBytes }
            + 48 * binds.count
    }

    /// About what the value takes as JSON, its name included.
    private static func bytes(_ value: ODataValue?) -> Int {
        switch value {
        case nil: 0
        case .scalar(.string(let text)): 32 + text.utf8.count
        case .scalar(.binary(let bytes)): 32 + bytes.count * 4 / 3
        case .scalar: 48
        case .list(let items): items.reduce(32) { $0 + self.bytes($1) }
        case .structure(let structure):
            structure.slots.reduce(32) { $0 + self.bytes($1) }
                + structure.dynamicValues.values.reduce(0) { $0 + self.bytes($1) }
        }
    }

    fileprivate func replacing(_ old: RowReference, by row: RowReference) -> RequestBody {
        var result = self
        for place in result.binds.indices {
            result.binds[place].targets = binds[place].targets.map { $0 == old ? row : $0 }
        }
        for place in result.inline.indices {
            if result.inline[place].row == old { result.inline[place].row = row }
            result.inline[place].body = inline[place].body.replacing(old, by: row)
        }
        return result
    }
}
