import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataStore
import ODataText
import ODataWire

extension OfflineSession {
    // MARK: Reading

    func execute(
        _ query: DataQuery, _ headers: HTTPHeaders, _ options: RequestOptions
    ) throws -> QueryResult {
        try checkOpen()
        let (document, checked) = try ErrorBase.translating { try prepared(query) }
        if let set = BuiltInReads.set(of: query, checked) {
            return try ErrorBase.translating {
                try BuiltInReads(sync: sync, document: document).execute(query, checked, set)
            }
        }
        let paged = try self.paged(query, checked, headers)
        let result = try sync.executeQuery(paged, headers: headers, options: options)
        return paged === query
            ? result : QueryResult(query: query, result: result.result, status: result.status)
    }

    private func prepared(_ query: DataQuery) throws -> (CSDLDocument, Query) {
        guard let document = try document() else {
            throw ODataError(.usage, "Expected metadata, found none.")
        }
        if query.model == nil { query.target.model = document.model }
        return (document, try query.checkedQuery())
    }

    /// The query with pages of at most the size that the parameters say.
    ///
    /// - Throws: `invalidInput` for a `Prefer` header or query that asks for pages without rows.
    private func paged(
        _ query: DataQuery, _ checked: Query, _ headers: HTTPHeaders
    ) throws -> DataQuery {
        let preferred = Preferences(requestedBy: headers.fields).maximumPageSize
        let asks = headers.fields.values("Prefer").contains {
            $0.lowercased().contains("maxpagesize")
        }
        guard checked.pageSize ?? 1 > 0, !asks || preferred != nil else {
            throw OfflineODataError.named(
                .invalidArgument, "Expected a page size above zero, found another.")
        }
        guard let size = parameters.values.pageSize, size > 0,
            size < min(checked.pageSize ?? .max, preferred ?? .max)
        else { return query }
        let copy = query.copy()
        copy.pageSize = size
        return copy
    }

    func load(
        _ entity: EntityValue, _ query: DataQuery?, _ headers: HTTPHeaders,
        _ options: RequestOptions
    ) throws {
        try checkOpen()
        guard Self.isBuiltIn(entity) else {
            try sync.loadEntity(entity, query: query, headers: headers, options: options)
            return
        }
        let wanted = query?.copy() ?? DataQuery()
        wanted.fromDefault(entity.entitySet).withKey(entity.entityKey)
        entity.takeOver(try execute(wanted, headers, options).requiredEntity())
    }

    // MARK: Changes

    static func isBuiltIn(_ entity: EntityValue) -> Bool {
        entity.entityType.definition.namespace == BuiltInModel.namespace
    }

    /// Checks that an entity may be changed.
    ///
    /// - Throws: `notSupported` for entities of the built-in sets.
    func checkWritable(_ entity: EntityValue) throws {
        try checkOpen()
        guard !Self.isBuiltIn(entity) else {
            throw OfflineODataError.named(
                .readOnlyEntitySet,
                "Expected an entity of the service, found one of"
                    + " \(entity.entityType.definition.name), which may only be read.")
        }
    }

    func delete(
        _ entity: EntityValue, _ headers: HTTPHeaders, _ options: RequestOptions
    ) throws {
        guard entity.entityType.qualifiedName == BuiltInModel.Set.errorArchive.qualifiedTypeName
        else {
            try checkWritable(entity)
            try sync.deleteEntity(entity, headers: headers, options: options)
            return
        }
        try checkOpen()
        try ErrorBase.translating {
            try archiveDeletion().delete([try ErrorArchiveDeletion.id(of: entity)])
        }
        entity.isDeleted = true
    }

    func delete(
        _ query: DataQuery, _ headers: HTTPHeaders, _ options: RequestOptions
    ) throws {
        try checkOpen()
        guard query.entitySet?.entityType.definition.namespace == BuiltInModel.namespace else {
            try sync.deleteByQuery(query, headers: headers, options: options)
            return
        }
        let found = try execute(query, headers, options).entityList()
        for entity in found
        where entity.entityType.qualifiedName
            != BuiltInModel.Set.errorArchive.qualifiedTypeName
        {
            try checkWritable(entity)
        }
        try ErrorBase.translating {
            try archiveDeletion().delete(Set(found.map { try ErrorArchiveDeletion.id(of: $0) }))
        }
    }

    private func archiveDeletion() throws -> ErrorArchiveDeletion {
        ErrorArchiveDeletion(
            store: try store(),
            isIndividual: parameters.values.enableIndividualErrorArchiveDeletion)
    }
}
