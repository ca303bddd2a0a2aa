import ODataClasses
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWorld
import SAPCommon

extension CloudSyncEngine {
    func hasInitialData() throws -> Bool {
        try ErrorBase.translating { try store().flag(.hasInitialData) }
    }

    func hasPendingDownload() throws -> Bool {
        try ErrorBase.translating {
            try isRunning(.download) || store().flag(.pendingDownload)
        }
    }

    func hasPendingUpload() throws -> Bool {
        try ErrorBase.translating { try isRunning(.upload) || store().flag(.pendingUpload) }
    }

    func lastDownloadTime() throws -> GlobalDateTime? {
        try ErrorBase.translating {
            try store().time(.lastDownload).map(GlobalDateTime.milliseconds)
        }
    }

    func lastUploadTime() throws -> GlobalDateTime? {
        try ErrorBase.translating {
            try store().time(.lastUpload).map(GlobalDateTime.milliseconds)
        }
    }

    func previousUser() throws -> String? {
        try ErrorBase.translating { try store().text(.previousUser) }
    }

    func eventHistory(matching query: DataQuery?) throws -> SyncEventList {
        try ErrorBase.translating {
            let events = try store().events().map { event in
                SyncEvent(
                    eventID: event.id, type: event.type,
                    time: GlobalDateTime.milliseconds(event.time), details: event.details)
            }
            return try SyncEventList.matching(query, in: events)
        }
    }

    // MARK: Download queries

    func createDownloadQuery(_ name: String, _ query: DataQuery, streams: Bool) throws {
        try ErrorBase.translating {
            let checked = try query.checkedQuery()
            guard case .entitySet(let set)? = checked.path.segments.first else {
                throw ODataError(
                    .usage, "Expected a query that says which entity set it reads.",
                    at: .path(name))
            }
            let store = try store()
            let graph = try store.graph()
            let url = try URLWriter.text(
                checked, graph: graph, dialect: Dialect.of(graph.version))
            _ = try store.addDownloadQuery(name, table: set, url: url, streams: streams)
        }
    }

    func deleteDownloadQuery(_ name: String) throws {
        try ErrorBase.translating {
            let store = try store()
            let graph = try store.graph()
            let sources = try makeSources(store, graph, ServiceCapabilities(graph))
            let selection = selection.snapshot(of: graph.entitySets.map(\.name)).selection
            try store.deleteDownloadQuery(name, among: wanted(sources, selection))
        }
    }

    func downloadQuery(_ name: String) throws -> DownloadQuery? {
        try ErrorBase.translating { try store().downloadQuery(name).map(object) }
    }

    func downloadQueries(from set: EntitySet?) throws -> DownloadQueryList {
        try ErrorBase.translating {
            DownloadQueryList.fromArray(
                try store().downloadQueries(of: set?.localName).map(object))
        }
    }

    private func object(_ source: DownloadSource) throws -> DownloadQuery {
        let document = try offlineStore.document()
        let result = DownloadQuery()
        result.name = source.name ?? source.entitySet
        result.streams = source.streams
        result.query = DataQuery(
            try URLParser.parse(
                source.url, graph: document.graph, dialect: Dialect.of(document.graph.version)),
            in: document)
        return result
    }
}
