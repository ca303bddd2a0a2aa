import Foundation
import GRDB
import ODataServer
import ODataTesting
import Testing

/// A change that no longer fits the service can be read, taken elsewhere and given up with the command, and keeps no other.
@Suite struct CommandMisfitTests {
    private static func odata(_ place: ServiceWorkplace, _ arguments: String...) throws
        -> Child.Result
    {
        let store = place.folder.appendingPathComponent("command.db").path
        return try Child.run(
            Child.command,
            arguments.prefix(1) + ["--store", store, "--json"] + arguments.dropFirst())
    }

    @Test func itIsListedExportedAndCancelled() async throws {
        try await ServiceWorkplace.run { place in
            let sync = try Self.odata(place, "sync", place.service.url ?? "")
            #expect(sync.status == 0, "\(sync.errors)")
            _ = try Self.odata(place, "update", "Sites(1)", #"{"Street":"Harbour Road 7"}"#)
            _ = try Self.odata(place, "update", "Sites(2)", #"{"Name":"Gate 7"}"#)
            try place.restartService(sql: "ALTER TABLE Sites DROP COLUMN Street")
            // Another day: the metadata is looked at again.
            let store = place.folder.appendingPathComponent("command.db").path
            try DatabaseQueue(path: store).write {
                try $0.execute(sql: "UPDATE _odata_meta SET value = 0 WHERE name = 'metadataTime'")
            }
            let download = try Self.odata(place, "download")
            #expect(download.status == 0, "\(download.errors)")
            let upload = try Self.odata(place, "upload")
            #expect(upload.status == 1)
            #expect(upload.output.contains(#""uploaded":1,"queued":0,"failed":1"#))
            #expect(
                try place.serviceText("SELECT Name FROM Sites WHERE Id = 2") == "Gate 7")
            let list = try Self.odata(place, "errors")
            #expect(list.output.contains("Site/Street"), "\(list.output)")
            let show = try Self.odata(place, "errors", "show", "1")
            #expect(show.status == 0, "\(show.errors)")
            // What was written is not lost with the property that it was written to.
            let export = try Self.odata(place, "errors", "export")
            #expect(export.output.contains("Harbour Road 7"), "\(export.output)")
            #expect(try Self.odata(place, "errors", "cancel", "1").status == 0)
            #expect(try Self.odata(place, "errors").output == "[]\n")
            #expect(try Self.odata(place, "upload").status == 0)
        }
    }
}
