// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPCommon
import SAPFoundation
import SAPOData

/// Opens the shop's store and keeps it in step.
public final class OfflineController: Sendable {
    private let logger = Logger.shared(named: "OfflineController")
    public let provider: CloudSyncProvider
    public let service: Shop

    public init(url: URL, folder: URL) {
        let online = OnlineODataProvider(serviceName: "Shop", serviceRoot: url.absoluteString)
        let store = SQLDatabaseProvider(serviceName: "Shop", databaseURL: "sqlite:\(folder.path)/shop26.db")
        self.provider = CloudSyncProvider(onlineProvider: online, offlineStore: store)
        self.service = Shop(provider: self.provider)
    }

    public func open() async throws {
        try await self.service.open()
        if try await !self.service.hasInitialData() {
            try await self.service.download()
        }
        self.logger.info("Offline store opened.")
    }

    public func synchronize() async throws {
        try await self.service.upload()
        try await self.service.download()
    }

    /// What the service refused.
    public func errors() async throws -> [String] {
        return try await self.service.failedRequests().map { "\($0.httpMethod) \($0.errorMessage ?? "")" }
    }
}
