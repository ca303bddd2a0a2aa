import ODataModel
import ODataQuery
import ODataSQL
import Synchronization

/// The compiled queries of one mapping, the ones used last; any thread may ask.
///
/// Queries that differ only in the values of a key, or in values that a filter compares properties with, share one
/// compiled form.
package final class PreparedQueries: Sendable {
    private enum Entry: Sendable {
        case same(PreparedQuery)
        case shared(SharedPlan)
        /// Queries whose statements depend on more than the values.
        case unshared
    }

    /// A read of one entity by the one value of its key.
    private struct KeyRead: Sendable, Hashable {
        var set: String
        var kind: SharedKind
    }

    private struct State: Sendable {
        var entries: [Query: (entry: Entry, lastUse: UInt64)] = [:]
        var clock: UInt64 = 0
        var keyReads: [KeyRead: SharedPlan] = [:]
        /// The one of ``keyReads`` that was asked for last: reads by key come in runs.
        var latestKeyRead: (id: KeyRead, plan: SharedPlan)?

        mutating func keyRead(_ id: KeyRead) -> SharedPlan? {
            if let latestKeyRead, latestKeyRead.id == id { return latestKeyRead.plan }
            guard let plan = keyReads[id] else { return nil }
            latestKeyRead = (id, plan)
            return plan
        }
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
    ) throws -> BoundQuery {
        if let shared = SharedQuery(query), shared.query.isExactlyComparable {
            let entry = entry(for: shared.query) ?? share(shared, query, check)
            if case .shared(let plan) = entry { return plan.bound(shared.values) }
        }
        guard query.isExactlyComparable else { return BoundQuery(try reader.prepare(check(query))) }
        if case .same(let known)? = entry(for: query) { return BoundQuery(known) }
        let made = try reader.prepare(check(query))
        keep(.same(made), for: query)
        return BoundQuery(made)
    }

    /// As ``prepared(_:check:)`` for reads of one entity with nothing else asked for: `query` is made when no such read
    /// of the set was met before.
    package func prepared(
        entityOf set: String, key: Scalar, _ query: () -> Query, check: (Query) throws -> Query
    ) throws -> BoundQuery {
        guard let kind = SharedKind(key), let value = Self.argument(key) else {
            return try prepared(query(), check: check)
        }
        let id = KeyRead(set: set, kind: kind)
        if let plan = state.withLock({ $0.keyRead(id) }) { return plan.bound([value]) }
        let query = query()
        let prepared = try prepared(query, check: check)
        if let shared = SharedQuery(query), shared.values == [value],
            case .shared(let plan)? = entry(for: shared.query)
        {
            state.withLock { state in
                // As many as a model has sets, so the limit is not met.
                if state.keyReads.count < Self.maximumKeyReads { state.keyReads[id] = plan }
            }
        }
        return prepared
    }

    private static func argument(_ key: Scalar) -> SQLArgument? {
        switch key {
        case .integer(let value): .integer(value)
        case .string(let text): .text(text)
        default: nil
        }
    }

    /// Compiles the query with marks in place of its values and finds where they went.
    private func share(
        _ shared: SharedQuery, _ query: Query, _ check: (Query) throws -> Query
    ) -> Entry {
        var entry = Entry.unshared
        if let other = SharedQuery(query, variant: 1),
            let plan = SharedPlan(
                shared, other, reader.mapping, { try reader.compiler.compile(check($0)) })
        {
            entry = .shared(plan)
        }
        keep(entry, for: shared.query)
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
                let oldest = state.entries.indices.min(by: {
                    state.entries[$0].value.lastUse < state.entries[$1].value.lastUse
                })
            else { return }
            state.entries.remove(at: oldest)
        }
    }

    static let maximumCount = 64
    private static let maximumKeyReads = 4_096
}
