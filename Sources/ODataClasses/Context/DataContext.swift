import ODataModel
import ODataQuery

/// What texts of queries and values are read and written against: a document, a version and wishes.
open class DataContext: ObjectBase, @unchecked Sendable {
    // Confined: one thread at a time changes a context, as callers promise.
    /// The model.
    public final let csdl: CSDLDocument
    /// Wishes, or-ed together.
    public final var bindOptions = 0
    /// The version of the texts; that of the document unless set.
    public final var versionCode: Int

    /// Texts come from a client and go to a service.
    public static let sendToServer = 1
    /// Texts come from a service and go to a client.
    public static let sendToClient = 2
    /// Payloads say everything.
    public static let fullMetadata = 4
    /// Payloads say what cannot be computed.
    public static let minimalMetadata = 8
    /// Payloads say next to nothing beside values.
    public static let noMetadata = 16

    /// The context of a document.
    public init(csdl: CSDLDocument) {
        self.csdl = csdl
        versionCode = csdl.versionCode
        super.init()
    }

    package final var dialect: Dialect {
        switch versionCode {
        case 401...: .v401
        case 400: .v4
        default: .v2
        }
    }
}

/// Reads the text of queries (URL Conventions 4.01; V2 URI conventions).
open class QueryParser: ObjectBase, @unchecked Sendable {
    // Immutable.
    /// What the texts are read against.
    public final let context: DataContext

    /// A parser for texts of this context.
    public init(context: DataContext) {
        self.context = context
        super.init()
    }

    /// The query that a path and the part behind `?` state, checked against the document.
    ///
    /// - Throws: An error that says where the text is wrong and what was expected there.
    open func parse(requestPath: String, queryString: String? = nil) throws -> DataQuery {
        try ErrorBase.translating {
            let text = queryString.map { "\(requestPath)?\($0)" } ?? requestPath
            let graph = context.csdl.model.graph
            var parsed = try URLParser.parse(
                text.hasPrefix("/") ? String(text.dropFirst()) : text, graph: graph,
                dialect: context.dialect)
            try QueryChecker.check(&parsed, graph: graph)
            let query = DataQuery(parsed, in: context.csdl)
            query.take(path: parsed.path, in: context.csdl, text: text)
            query.requestPath = requestPath
            query.queryString = queryString
            return query
        }
    }
}

/// Writes queries as text.
open class QueryFormatter: ObjectBase, @unchecked Sendable {
    /// The URL of the query relative to the service root, in the version of the context; empty for a query that does not fit
    /// the document, or that the version cannot say. What is wrong with it is told when it is executed.
    open class func format(query: DataQuery, context: DataContext) -> String {
        if let url = query.url { return url }
        let graph = context.csdl.model.graph
        var value = query.query
        do {
            try QueryChecker.check(&value, graph: graph)
            return try URLWriter.text(value, graph: graph, dialect: context.dialect)
        } catch {
            return ""
        }
    }
}

extension DataQuery {
    /// Takes over a path segment by segment; a path that the properties of a query cannot say becomes its ``url``.
    package final func take(path: ResourcePath, in document: CSDLDocument, text: String) {
        var type: StructureType? = target.entitySet?.entityType
        var property: [ExpressionPath.Segment] = []
        for (index, segment) in path.segments.enumerated() {
            switch segment {
            case .entitySet where index == 0 && target.entitySet != nil: continue
            case .key(let values) where target.entityKey == nil && property.isEmpty:
                let key = EntityKey(values)
                target.entityKey = key.map.has("") ? named(key, type) : key
            case .typeCast(let name) where property.isEmpty && target.derivedType == nil:
                guard let id = document.model.graph.structure(named: name) else { break }
                type = document.model[id]
                target.derivedType = type
                continue
            case .property(let name): property.append(.property(name))
            case .count where index == path.segments.count - 1: target.counts = true
            default:
                target.url = text
                return
            }
        }
        if !property.isEmpty {
            target.propertyPath = DataPath.of(ExpressionPath(property), in: type)
        }
        if path.segments.isEmpty || query.path != path { target.url = text }
    }

    private func named(_ key: EntityKey, _ type: StructureType?) -> EntityKey {
        guard let name = (type as? EntityType)?.definition.key.first?.name else { return key }
        return EntityKey().with(name: name, value: key.map.get(""))
    }
}
