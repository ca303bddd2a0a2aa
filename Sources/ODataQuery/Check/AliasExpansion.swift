import ODataModel
import ODataText

/// The values of parameter aliases (URL Conventions 4.01, section 5.3). They may name each other, and whoever evaluates
/// or compiles them puts each in its place: what that comes to is known before anybody does.
final class AliasExpansion {
    let values: [String: Expression]
    private var sizes: [String: Size] = [:]
    private let used: Used

    private struct Size {
        var nodes: Int
        var depth: Int
    }

    /// Of the whole query, with the aliases of its inner options.
    private final class Used {
        var nodes = 0
    }

    /// - Throws: `invalidQuery` for an alias that contains itself, `limitExceeded` for one that comes to too much.
    convenience init(_ values: [String: Expression] = [:]) throws {
        try self.init(values, Used())
    }

    private init(_ values: [String: Expression], _ used: Used) throws {
        self.values = values
        self.used = used
        for name in values.keys.sorted() {
            var open: Set<String> = []
            try Self.require(try size(of: name, 0, &open).nodes, at: name)
        }
    }

    /// These and `more`, which go before.
    func with(_ more: [String: Expression]) throws -> AliasExpansion {
        more.isEmpty ? self : try AliasExpansion(values.merging(more) { $1 }, used)
    }

    /// Counts one place where the alias stands.
    ///
    /// - Throws: `limitExceeded` when all places together come to too much.
    func use(_ name: String) throws {
        guard let size = sizes[name] else { return }
        used.nodes += size.nodes
        try Self.require(used.nodes, at: name)
    }

    private func size(of name: String, _ depth: Int, _ open: inout Set<String>) throws -> Size {
        if let known = sizes[name] {
            try Self.require(depth: depth + known.depth, at: name)
            return known
        }
        guard let value = values[name] else { return Size(nodes: 1, depth: 1) }
        guard open.insert(name).inserted else {
            throw ODataError(
                .invalidQuery, "Expected an alias that does not contain itself.",
                at: .path("@\(name)"))
        }
        defer { open.remove(name) }
        var size = try size(value, in: name, depth, &open)
        size.depth += 1
        sizes[name] = size
        return size
    }

    private func size(
        _ expression: Expression, in name: String, _ depth: Int, _ open: inout Set<String>
    ) throws -> Size {
        try Self.require(depth: depth, at: name)
        if case .alias(let other) = expression { return try size(of: other, depth + 1, &open) }
        var result = Size(nodes: expression.weight, depth: 1)
        for part in expression.parts {
            let size = try size(part, in: name, depth + 1, &open)
            let (sum, isTooGreat) = result.nodes.addingReportingOverflow(size.nodes)
            result.nodes = isTooGreat ? .max : sum
            result.depth = max(result.depth, size.depth + 1)
        }
        return result
    }

    private static func require(_ nodes: Int, at name: String) throws {
        guard nodes <= maximumNodes else {
            throw ODataError(
                .limitExceeded,
                "Expected aliases that come to at most \(maximumNodes) expressions, found \(nodes).",
                at: .path("@\(name)"))
        }
    }

    private static func require(depth: Int, at name: String) throws {
        guard depth <= maximumDepth else {
            throw ODataError(
                .limitExceeded, "Expected aliases of at most \(maximumDepth) nested expressions.",
                at: .path("@\(name)"))
        }
    }

    private static let maximumNodes = 10_000
    private static let maximumDepth = 100
}

extension Expression {
    /// Itself without its parts; long texts are written out in each place, too.
    fileprivate var weight: Int {
        switch self {
        case .json(let text), .literal(.string(let text), _): 1 + text.utf8.count / 16
        default: 1
        }
    }
}
