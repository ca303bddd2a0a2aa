import ODataText

/// Where the elements of a model were written: an element's offset counts on from the end of the document before.
struct CSDLPlaces: Sendable {
    private enum Part: Sendable {
        /// The bytes of an XML document; offsets are byte offsets.
        case xml([UInt8])
        /// The paths of a JSON document; offsets are indexes.
        case json([String])

        var count: Int {
            switch self {
            case .xml(let bytes): bytes.count + 1
            case .json(let paths): paths.count + 1
            }
        }
    }

    private var parts: [Part] = []

    /// Adds an XML document and gives its root with offsets that ``location(_:)`` understands.
    ///
    /// - Throws: what ``XMLTree`` throws.
    mutating func add(_ bytes: [UInt8], limits: XMLLimits) throws -> XMLNode {
        let tree = try XMLTree(bytes, limits: limits, base: count, mark: CSDLMarks.mark)
        parts.append(.xml(bytes))
        return tree.root
    }

    /// Adds a translated JSON document.
    mutating func add(_ root: XMLElement, paths: [String]) -> XMLNode {
        let tree = XMLTree(root, base: count, mark: CSDLMarks.mark)
        parts.append(.json(paths))
        return tree.root
    }

    private var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// Line and column of an element of XML, path of an element of JSON.
    func location(_ offset: Int) -> ODataError.Location {
        var rest = offset
        for part in parts {
            guard rest >= part.count else {
                switch part {
                case .xml(let bytes): return lineAndColumn(of: rest, in: bytes)
                case .json(let paths): return .path(rest < paths.count ? paths[rest] : "")
                }
            }
            rest -= part.count
        }
        return .offset(offset)
    }
}
