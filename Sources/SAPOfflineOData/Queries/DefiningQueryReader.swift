import ODataClasses
import ODataModel
import ODataQuery
import ODataText

/// Reads the URL of a defining query as the query of one entity set.
struct DefiningQueryReader {
    let document: CSDLDocument
    /// The service root, ending in `/`; it may stand in front of a query's URL.
    let serviceRoot: String

    /// - Throws: `definingQueryInvalid` for a URL that does not parse, does not fit the metadata or is not about one
    ///   entity set.
    func query(_ definition: OfflineODataDefiningQuery) throws -> DataQuery {
        let graph = document.graph
        let parsed: Query
        let query: DataQuery
        do {
            parsed = try URLParser.parse(
                Self.encoded(relative(definition.query)), graph: graph,
                dialect: Dialect.of(graph.version))
            query = DataQuery(parsed, in: document)
            _ = try query.checkedQuery()
        } catch {
            throw invalid(
                definition, "\(ErrorBase.from(any: error).message ?? "it does not parse")")
        }
        guard parsed.path.segments.count == 1,
            case .entitySet(let name)? = parsed.path.segments.first,
            let set = document.entitySet(named: name),
            set.entityType.definition.namespace != BuiltInModel.namespace
        else {
            throw invalid(definition, "only queries of one entity set of the service can be kept")
        }
        return query
    }

    /// - Throws: `definingQueryInvalid` for an empty name or one with a comma, and for an empty URL.
    static func checkName(_ definition: OfflineODataDefiningQuery) throws {
        guard definition.name.contains(where: { !$0.isWhitespace }), !definition.name.contains(",")
        else {
            throw OfflineODataError.named(
                .definingQueryInvalid,
                "Expected a name without comma for the defining query, found"
                    + " \"\(definition.name)\".")
        }
        guard definition.query.contains(where: { !$0.isWhitespace }) else {
            throw OfflineODataError.named(
                .definingQueryInvalid, "Expected a URL in the defining query \(definition.name).")
        }
    }

    private func invalid(
        _ definition: OfflineODataDefiningQuery, _ reason: String
    ) -> OfflineODataError {
        .named(
            .definingQueryInvalid,
            "Expected a query of an entity set in the defining query \(definition.name): \(reason)."
        )
    }

    private func relative(_ text: String) -> String {
        var text = text
        if text.hasPrefix(serviceRoot) { text.removeFirst(serviceRoot.count) }
        while text.hasPrefix("/") { text.removeFirst() }
        return text
    }

    /// The text as a URL: what is not encoded yet becomes so. Blanks and other characters that no URL has tell.
    static func encoded(_ text: String) -> String {
        let isEncoded = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
        guard !isEncoded else { return text }
        let special: Set<UInt8> = Set("%+#\"".utf8)
        return text.utf8.reduce(into: "") { result, byte in
            if byte > 0x20, byte < 0x7F, !special.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
    }
}
