import ODataModel

extension QueuedRequest {
    /// A rough count of the bytes that the request takes when written.
    package var estimatedBytes: Int {
        64 + 48 * (body?.estimatedValues ?? 0)
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
    fileprivate var estimatedValues: Int {
        values.slots.count + inline.reduce(0) { $0 + $1.body.estimatedValues } + binds.count
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
