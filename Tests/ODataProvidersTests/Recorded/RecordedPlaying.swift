import Foundation
import SAPOData
import Testing

/// Parts of a recorded payload.
enum RecordedPlay {
    static func object(_ exchange: Replay.Exchange) throws -> [String: Any] {
        try #require(exchange.json() as? [String: Any])
    }

    /// What the service said of an error, in the shape of either version.
    static func message(_ exchange: Replay.Exchange) throws -> String? {
        let error = try object(exchange)["error"] as? [String: Any]
        return error?["message"] as? String
            ?? (error?["message"] as? [String: Any])?["value"] as? String
    }
}

/// Tests that play recorded reads and refusals.
protocol RecordedPlaying {}

extension RecordedPlaying {
    /// Reads entities by the recorded address and compares each value with the recorded one.
    func read(
        _ replay: Replay, _ provider: OnlineODataProvider, _ index: Int, _ url: String,
        _ values: inout RecordedValues, accept level: String? = nil, page: Int? = nil,
        _ more: (QueryResult, Replay.Exchange) throws -> Void = { _, _ in }
    ) throws {
        var compared = values
        _ = try replay.play(index) { exchange in
            let query = DataQuery()
            query.url = url
            let headers = HTTPHeaders()
            if let level {
                headers.setHeader(
                    withName: "Accept", value: "application/json;odata.metadata=\(level)")
            }
            if let page {
                headers.setHeader(withName: "Prefer", value: "odata.maxpagesize=\(page)")
            }
            let result = try provider.executeQuery(query, headers: headers)
            let rows = try RecordedValues.rows(exchange.json())
            let before = compared.count
            if let list = result.result as? EntityValueList {
                try compared.compare(list, rows)
            } else {
                try compared.compare(result.requiredEntity(), try #require(rows.first))
            }
            #expect(compared.count > before)
            try more(result, exchange)
        }
        values = compared
    }

    /// Asks for what the service refused; its words arrive as a typed error.
    func refusal(
        _ replay: Replay, _ provider: OnlineODataProvider, _ index: Int, _ url: String,
        _ status: Int
    ) throws {
        _ = try replay.play(index) { exchange in
            let query = DataQuery()
            query.url = url
            provider.serviceOptions.checkQueries = false
            defer { provider.serviceOptions.checkQueries = true }
            let message = try RecordedPlay.message(exchange)
            let error = #expect(throws: DataServiceError.self) {
                try provider.executeQuery(query)
            }
            #expect(error?.status == status)
            #expect(error?.response?.message == message)
        }
    }
}
