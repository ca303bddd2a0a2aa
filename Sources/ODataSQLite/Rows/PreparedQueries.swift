import ODataModel
import ODataQuery
import ODataSQL
import Synchronization

/// The compiled queries of one mapping, the ones used last; any thread may ask.
///
/// Reads by key share one compiled query whatever the key is.
package final class PreparedQueries: Sendable {
    private enum Entry: Sendable {
        case same(PreparedQuery)
        /// A read by key: where the statement takes the key's values.
        case keyed(PreparedQuery, positions: [Int])
        /// A read by key whose statement depends on more than the values.
        case unshared
    }

    private struct State: Sendable {
        var entries: [Query: (entry: Entry, lastUse: UInt64)] = [:]
        var clock: UInt64 = 0
    }

    package let reader: QueryReader
    private let state = Mutex(State())

    package init(mapping: SchemaMapping, options: CompilerOptions = CompilerOptions()) {
        reader = QueryReader(mapping: mapping, options: options)
    }

    /// The compiled form of a query; `check` types its literals, and is asked for queries not met before.
    ///
    /// - Throws: What `check` and the compiler throw.
    package func prepared(
        _ query: Query, check: (Query) throws -> Query
    ) throws -> PreparedQuery {
        if let keyed = KeyedQuery(query) {
            switch entry(for: keyed.query) ?? share(keyed, check) {
            case .keyed(let shared, let positions):
                return shared.bound(Array(zip(positions, keyed.values)))
            case .same, .unshared: return try reader.prepare(check(query))
            }
        }
        if case .same(let known)? = entry(for: query) { return known }
        let made = try reader.prepare(check(query))
        keep(.same(made), for: query)
        return made
    }

    /// Compiles the query with marks in place of the key's values and finds where they went.
    private func share(_ keyed: KeyedQuery, _ check: (Query) throws -> Query) -> Entry {
        var entry = Entry.unshared
        if let made = try? reader.prepare(check(keyed.query)),
            let positions = keyed.positions(in: made.plan)
        {
            entry = .keyed(made, positions: positions)
        }
        keep(entry, for: keyed.query)
        return entry
    }

    private func entry(for query: Query) -> Entry? {
        state.withLock { state in
            guard let index = state.entries.index(forKey: query) else { return nil }
            state.clock += 1
            state.entries.values[index].lastUse = state.clock
            return state.entries.values[index].entry
        }
    }

    private func keep(_ entry: Entry, for query: Query) {
        state.withLock { state in
            state.clock += 1
            state.entries[query] = (entry, state.clock)
            guard state.entries.count > Self.maximumCount,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            else { return }
            state.entries[oldest.key] = nil
        }
    }

    static let maximumCount = 64
}

/// A read by key with marks in place of the key's values, so that reads of other keys are equal to it.
private struct KeyedQuery {
    /// The query with the marks.
    let query: Query
    let values: [SQLArgument]
    private let marks: [SQLArgument]

    /// Nil for queries that are no reads by integers or texts.
    init?(_ query: Query) {
        guard query.path.segments.count == 2, !query.includesCount,
            case .key(var key) = query.path.segments[1]
        else { return nil }
        var values: [SQLArgument] = []
        var marks: [SQLArgument] = []
        for position in key.indices {
            guard case .literal(let scalar, let type) = key[position].value else { return nil }
            let mark: Scalar
            switch scalar {
            case .integer(let value):
                // The mark fits where the value does: types of 32 and of 64 bits.
                let number: Int64 =
                    Int32(exactly: value) == nil ? 0x5EED_0DA7_A5EE_D000 : 0x5EED_0DA7
                values.append(.integer(value))
                marks.append(.integer(number + Int64(position)))
                mark = .integer(number + Int64(position))
            case .string(let text):
                values.append(.text(text))
                marks.append(.text("\u{1}key\(position)"))
                mark = .string("\u{1}key\(position)")
            default: return nil
            }
            key[position].value = .literal(mark, type)
        }
        var marked = query
        marked.path.segments[1] = .key(key)
        self.query = marked
        self.values = values
        self.marks = marks
    }

    /// Where the row statement takes each value; nil unless each mark is there once, as it is.
    func positions(in plan: QueryPlan) -> [Int]? {
        guard plan.countStatement == nil, let arguments = plan.statement?.arguments else {
            return nil
        }
        var positions: [Int] = []
        for mark in marks {
            guard let first = arguments.firstIndex(of: mark),
                arguments.lastIndex(of: mark) == first
            else { return nil }
            positions.append(first)
        }
        return positions
    }
}
