import Foundation
import ODataClasses
import ODataModel
import ODataProviders
import ODataProxy
import ODataQuery
import ODataServer
import ODataSync
import ODataSyncPlan
import ODataTesting
import ODataText
import ODataWire
import Testing

/// A proxy in front of a service that cannot say what changed (`odata serve --proxy`).
@Suite struct DeltaProxyTests {
    /// CSP-178
    @Test func aServiceWithoutDeltasHasThemBehindTheProxy() async throws {
        try await onOwnThread {
            let place = try ProxyPlace()
            defer { place.close() }
            let first = place.get("/Tools", "Prefer: odata.track-changes, maxpagesize=100")
            #expect(first.items.count == 50)
            #expect(first.items[0]["Price"]?.text == "1.25")
            #expect(first.items[0]["Bought"]?.string == "2026-01-02T03:04:05Z")
            try place.change(
                """
                UPDATE Stock SET Title = 'other' WHERE Id = 7; DELETE FROM Stock WHERE Id = 9;
                INSERT INTO Stock VALUES (51, 'new', NULL, NULL)
                """)
            place.proxy.sweep()
            let delta = place.get(first.deltaLink)
            let removed = delta.items.filter { $0["@odata.context"] != nil || $0["reason"] != nil }
            #expect(delta.items.count == 3)
            #expect(removed.count == 1)
            #expect(removed[0].text.contains("Tools(9)"), "\(removed[0].text)")
            #expect(Set(delta.items.compactMap { $0["Title"]?.string }) == ["other", "new"])
            place.proxy.sweep()
            #expect(place.get(delta.deltaLink).items.isEmpty)
            #expect(place.get(first.deltaLink).items.count == 3)
        }
    }

    /// CSP-178: what travels from the proxy to a client, and what the client then holds.
    @Test func aClientDownloadsChangedRowsOnly() async throws {
        try await onOwnThread {
            let place = try ProxyPlace()
            defer { place.close() }
            let url = try #require(place.proxy.service.url)
            let path = place.folder.appendingPathComponent("client.db").path
            let client = CloudSyncProvider(
                onlineProvider: OnlineODataProvider(serviceName: "p", serviceRoot: url),
                offlineStore: SQLDatabaseProvider(
                    serviceName: "p", databaseURL: "sqlite:\(path)"))
            try client.open()
            defer { try? client.close() }
            func download() throws -> DownloadProgress {
                try client.downloadReporting(groups: [], SyncOptions(), loadsLinks: true)
            }
            #expect(try download().rows == 52)
            try place.change(
                "UPDATE Stock SET Title = 'other' WHERE Id = 7; DELETE FROM Stock WHERE Id IN (9, 10)"
            )
            place.proxy.sweep()
            place.proxy.service.observer.forget()
            let next = try download()
            let tools = try #require(
                next.results.first { $0.source.entitySet == "Tools" })
            // One row and two tombstones.
            #expect(tools.received == 3)
            #expect(tools.removed == 2)
            #expect(next.results.reduce(0) { $0 + $1.received } == 3)
            let lines = place.proxy.service.observer.requests.filter {
                !$0.url.contains("$metadata") && !$0.url.contains("$batch")
            }
            #expect(lines.count == 2, "\(lines.map(\.url))")
            #expect(lines.allSatisfy { $0.url.contains("$deltatoken=") })
        }
    }

    @Test func tokensHoldWhenTheProxyIsStartedAgain() async throws {
        try await onOwnThread {
            let place = try ProxyPlace()
            defer { place.close() }
            let first = place.get("/Tools", "Prefer: odata.track-changes")
            let tag = try #require(place.get("/Tools(8)").headers["ETag"])
            try place.change("UPDATE Stock SET Price = 99 WHERE Id = 7")
            try place.restartProxy()
            #expect(place.get("/Tools", "Cache-Control: no-cache").status == 200)
            let delta = place.get(first.deltaLink)
            #expect(delta.items.compactMap { $0["Id"]?.text } == ["7"])
            #expect(place.get("/Tools(8)").headers["ETag"] == tag)
            #expect(place.get("/Tools(8)", "If-None-Match: \(tag)").status == 304)
        }
    }

    @Test func theLastGoodStateStaysWhileTheOriginIsGone() async throws {
        try await onOwnThread {
            let place = try ProxyPlace()
            defer { place.close() }
            let good = place.get("/Tools")
            #expect(good.headers["Age"].flatMap { Int($0) }.map { $0 < 60 } == true)
            #expect(good.headers["Cache-Status"] == "OData-Proxy; hit")
            try place.origin.close()
            place.proxy.sweep()
            #expect(place.get("/").status == 200)
            #expect(place.get("/$metadata").status == 200)
            let stale = place.get("/Tools", "Cache-Control: max-age=0")
            #expect(stale.status == 200)
            #expect(stale.body == good.body)
            #expect(
                stale.headers["Cache-Status"] == "OData-Proxy; hit; detail=\"origin not read\"")
            let refused = place.get("/Tools", "Cache-Control: no-cache")
            #expect(refused.status == 504)
            #expect(refused.headers["Retry-After"] != nil)
            try place.change("UPDATE Stock SET Title = 'late' WHERE Id = 1")
            try place.restartOrigin()
            let fresh = place.get("/Tools(1)", "Cache-Control: no-cache")
            #expect(fresh.json["Title"]?.string == "late", "\(fresh.status) \(fresh.json)")
        }
    }

    /// A set that the origin refuses keeps no other from being read, and is unknown, not empty.
    @Test func aSetThatWasNeverReadIsNotEmpty() async throws {
        try await onOwnThread {
            let place = try ProxyPlace()
            defer { place.close() }
            let path = place.folder.appendingPathComponent("second.db").path
            place.origin.observer.setFaults { request, _ in
                guard request.url.contains("Tags") || request.url.contains("$batch") else {
                    return nil
                }
                return .answer(ResponseMessage(status: 501, headers: [:], body: []))
            }
            var settings = DeltaProxy.Settings(
                origin: place.origin.url ?? "", service: ServiceConfiguration(databasePath: path))
            settings.interval = nil
            let second = try DeltaProxy(settings)
            try second.start()
            defer { try? second.close() }
            func get(_ url: String) -> ResponseMessage {
                second.service.respond(
                    to: RequestMessage(method: "GET", url: url, headers: ["Host": "127.0.0.1"]))
            }
            #expect(get("/Tools/$count").body == Array("50".utf8))
            let unread = get("/Tags")
            #expect(unread.status == 503)
            #expect(unread.headers["Retry-After"] != nil)
            place.origin.observer.setFaults(nil)
            second.sweep()
            #expect(get("/Tags").items.count == 2)
        }
    }

    @Test func theV2FaceSaysTheTypesOfTheOrigin() async throws {
        try await onOwnThread {
            let place = try ProxyPlace { $0.service.speaksV2 = true }
            defer { place.close() }
            let graph = try CSDLReader.read(place.get("/$metadata").body)
            #expect(graph.version == .v2)
            let own = try CSDLReader.read(
                place.origin.respond(
                    to: RequestMessage(
                        method: "GET", url: "/$metadata", headers: ["Host": "127.0.0.1"])
                ).body)
            #expect(graph.structures.map(\.properties) == own.structures.map(\.properties))
            let tool = place.get("/Tools(1L)").json["d"]
            #expect(tool?["Bought"]?.string == "/Date(1767323045000+0000)/")
            let page = place.get("/Tools").json["d"]
            #expect(page?["__delta"]?.string?.contains("!deltatoken") == true)
        }
    }

    @Test func itIsReadOnlyAndKeepsNoCredentials() async throws {
        try await onOwnThread {
            let place = try ProxyPlace()
            defer { place.close() }
            let answer = place.proxy.service.respond(
                to: RequestMessage(
                    method: "DELETE", url: "/Tools(1)", headers: ["Host": "127.0.0.1"]))
            #expect(answer.status == 405)
            #expect(
                place.origin.observer.requests.filter { !$0.isInBatch }.allSatisfy {
                    $0.headers["Authorization"] == "Basic c29tZW9uZTpzZWNyZXQtd29yZA=="
                })
            try place.proxy.close()
            for name in try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
            where name.hasPrefix("proxy") {
                let bytes = try Data(contentsOf: place.folder.appendingPathComponent(name))
                #expect(bytes.range(of: Data("secret-word".utf8)) == nil, "\(name)")
            }
        }
    }

    @Test func itRefusesFilesOfOthers() async throws {
        try await onOwnThread {
            let place = try ProxyPlace()
            defer { place.close() }
            let file = place.origin.configuration.databasePath
            #expect {
                _ = try DeltaProxy(
                    DeltaProxy.Settings(
                        origin: place.origin.url ?? "",
                        service: ServiceConfiguration(databasePath: file)))
            } throws: { String(describing: $0).contains("Expected a file of a delta proxy") }
        }
    }
}
