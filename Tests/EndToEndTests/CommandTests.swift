import Foundation
import ODataCommand
import ODataServer
import ODataTesting
import Testing

/// The built command as a child process: what it says and which status it ends with.
@Suite struct CommandTests {

    /// CSP-170
    @Test func aStoreIsSyncedFromTheURLAloneThenQueriedChangedAndUploaded() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let sync = try Child.odata("sync", place.url, "--store", place.store, "--json")
            #expect(sync.status == 0, "\(sync.errors)")
            #expect(sync.output.contains(#""downloaded":400,"uploaded":0,"queued":0,"failed":0"#))
            #expect(sync.output.contains(#""Customers":20"#))

            let sites = try place.odata(
                "query", "Sites?$filter=Id le 2&$select=Id,City&$count=true")
            #expect(sites.status == 0, "\(sites.errors)")
            #expect(sites.output.hasPrefix(#"{"@odata.count":2,"value":[{"Id":1,"City":""#))
            #expect(try place.odata("query", "Sites/$count").output == "40\n")

            let update = try place.odata("update", "Sites(1)", #"{"Name":"Gate 7"}"#)
            #expect(update.status == 0, "\(update.errors)")
            #expect(update.output.contains(#""Name":"Gate 7""#))
            let created = try place.odata(
                "create", "TimeEntries",
                """
                {"WorkOrderId":1,"Position":77,"Technician":"Ada","StartedAt":"2026-01-02T03:04:05Z",\
                "Duration":"PT1H","Hours":1.25,"IsOvertime":true}
                """)
            #expect(created.status == 0, "\(created.errors)")
            let deleted = try place.odata("delete", "TimeEntries(WorkOrderId=2,Position=1)")
            #expect(
                deleted.output == #"{"deleted":"TimeEntries(WorkOrderId=2,Position=1)"}"# + "\n")
            let queue = try place.odata("queue")
            #expect(queue.output.contains(#""method":"PATCH","url":"Sites(1)""#))
            #expect(try place.odata("queue", "export").output.contains(#""Name":"Gate 7""#))

            let upload = try place.odata("upload")
            #expect(upload.status == 0, "\(upload.errors)")
            #expect(upload.output.contains(#""uploaded":3,"queued":0,"failed":0"#))
            #expect(try place.odata("download").status == 0)
            let comparison = try RowComparison(service: place.database, store: place.store)
            #expect(comparison.differences.isEmpty)
            #expect(comparison.rowsCompared == 400)
            let online = try Child.odata(
                "query", "--online", place.url, "Sites(1)?$select=Name", "--json")
            #expect(online.output == #"{"Id":1,"Name":"Gate 7"}"# + "\n")
            let events = try place.odata("events").output
            #expect(events.contains(#""type":"upload""#))
            #expect(events.components(separatedBy: #""type":"download""#).count == 3)
        }
    }

    /// CSP-144, CSP-152
    @Test func aConflictIsListedCorrectedAndSent() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            #expect(try Child.odata("sync", place.url, "--store", place.store).status == 0)
            _ = try place.odata("update", "Sites(3)", #"{"Street":"Ours 1"}"#)
            try place.execute("UPDATE Sites SET City = 'Theirs' WHERE Id = 3")
            let refused = try place.odata("upload")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("1 requests were refused"))
            let errors = try place.odata("errors")
            #expect(errors.output.contains(#""failed":true,"status":412"#))
            let show = try place.odata("errors", "show", "1")
            #expect(show.status == 0, "\(show.errors)")
            let shown = try #require(
                try JSONSerialization.jsonObject(with: Data(show.output.utf8)) as? [String: Any])
            func side(_ name: String, _ property: String) -> String? {
                (shown[name] as? [String: Any])?[property] as? String
            }
            #expect(side("local", "Street") == "Ours 1")
            #expect(side("base", "Street") == side("server", "Street"))
            #expect(side("base", "Street") != "Ours 1")
            #expect(side("server", "City") == "Theirs")
            #expect(side("base", "City") == side("local", "City"))
            let table = try Child.odata("errors", "--store", place.store, "show", "1")
            #expect(table.output.contains("property  base"))
            #expect(
                table.output.contains("Theirs") && table.output.contains("Ours 1"), "\(table)")
            #expect(try place.odata("download").status == 0)
            let kept = try place.odata("query", "Sites(3)?$select=Street,City")
            #expect(kept.output == #"{"Id":3,"Street":"Ours 1","City":"Theirs"}"# + "\n")
            let retry = try place.odata("errors", "retry", "1")
            #expect(retry.status == 0, "\(retry.errors)")
            let upload = try place.odata("upload")
            #expect(upload.status == 0, "\(upload.errors)")
            #expect(try place.odata("errors").output == "[]\n")
            let site = try place.odata("query", "Sites(3)?$select=Street,City")
            #expect(site.output == #"{"Id":3,"Street":"Ours 1","City":"Theirs"}"# + "\n")
        }
    }

    @Test func badInputIsNamedAndChangesNothing() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            #expect(try Child.odata("sync", place.url, "--store", place.store).status == 0)
            let cases: [([String], String)] = [
                (["query", "Nothing"], "Nothing"),
                (["query", "Sites?$filter=Nothing eq 1"], "Nothing"),
                (["query", "Sites?$filter=Id foo 1"], "offset"),
                (["query", "Sites?$filter=Id eq 'x'"], "Edm.Int64"),
                (["query", "Sites?$top=many"], "offset"),
                (["query", "Sites(1"], "offset"),
                (["query", "Sites(1)/%zz"], "offset"),
                (["update", "Sites(1)", #"{"Name":}"#], "the entity"),
                (["update", "Sites(1)", #"{"Nothing":1}"#], "Nothing"),
                (["update", "Sites(1)", #"{"Name":12}"#], "Name"),
                (["update", "Sites(1)", #"{"Id":12}"#], "key"),
                (["update", "Sites", "{}"], "one entity"),
                (["create", "Sites(1)", "{}"], "an entity set"),
                (["link", "Sites(1)", "City", "Customers(1)"], "navigation property"),
                (["queue", "show", "first"], "number"),
                (["queue", "retry", "1"], "errors"),
                (["queue", "--nothing"], "--nothing"),
            ]
            for (arguments, part) in cases {
                let result = try place.odata(arguments)
                #expect(result.status == 2, "\(arguments) \(result.errors)")
                #expect(result.errors.contains(part), "\(arguments) \(result.errors)")
                #expect(result.output.isEmpty, "\(arguments)")
            }
            let missing = try place.odata("update", "Sites(999)", #"{"Name":"x"}"#)
            #expect(missing.status == 1)
            #expect(try place.odata("queue").output == "[]\n")
            let comparison = try RowComparison(service: place.database, store: place.store)
            #expect(comparison.differenceCount == 0)
        }
    }

    @Test func filesAndAddressesThatAreNotWhatTheyShouldBeAreRefused() async throws {
        try await onOwnThread {
            let folder = try TemporaryFolder("odata-command")
            defer { folder.remove() }
            let text = folder.file("text")
            try Data("no database at all, but long enough to look at".utf8)
                .write(to: URL(fileURLWithPath: text))
            let broken = folder.file("broken.xml")
            try Data("<Edmx xmlns='http://docs.oasis-open.org/odata/ns/edmx'>\n  <oops".utf8).write(
                to: URL(fileURLWithPath: broken))
            let new = folder.file("new.store")
            let cases: [([String], Int32, String)] = [
                (["query", "--store", text, "Sites"], 2, "SQLite"),
                (["query", "--store", folder.file("none"), "Sites"], 2, "no such file"),
                (["query", "--store", folder.path, "Sites"], 2, "readable file"),
                (["serve", "--database", text], 2, "SQLite"),
                (["serve", "--database", text, "--port", "99999"], 2, "--port"),
                (["serve"], 2, "--sample, --database, --model or --proxy"),
                (["serve", "--sample", "fieldservice", "--host", "0.0.0.0"], 2, "--insecure"),
                (["service", "untrack", "--database", text], 2, "SQLite"),
                (["sync", "not a url", "--store", new], 2, "URL"),
                (["sync", "ftp://host/", "--store", new], 2, "URL"),
                (["sync", "http://127.0.0.1:1/", "--store", new], 1, "connect"),
                (["metadata", broken], 2, "line 2"),
                (["metadata", folder.file("none")], 2, "no such file"),
                (["metadata", "http://127.0.0.1:1/"], 1, "127.0.0.1:1"),
                (["check-uri", "--metadata", broken], 2, "line 2"),
                (["check-uri", "--rule", "noRule"], 2, "rule"),
                (["nothing"], 2, "nothing"),
            ]
            for (arguments, status, part) in cases {
                let result = try Child.run(Child.command, arguments)
                #expect(result.status == status, "\(arguments) \(result.errors)")
                #expect(result.errors.contains(part), "\(arguments) \(result.errors)")
                #expect(result.output.isEmpty, "\(arguments)")
            }
            #expect(!FileManager.default.fileExists(atPath: new))
            #expect(try String(contentsOfFile: text, encoding: .utf8).hasPrefix("no database"))
        }
    }

    @Test func urlsAreCheckedLineByLine() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let document = try Child.odata("metadata", place.url, "--format", "xml")
            #expect(document.status == 0)
            let file = place.folder.file("metadata.xml")
            try Data(document.output.utf8).write(to: URL(fileURLWithPath: file))
            let checked = try Child.odata(
                "check-uri", "--metadata", file,
                input: "Sites(1)\nSites?$filter=City eq\nNothing\nSites?$filter=City eq 'a'\n")
            #expect(checked.status == 0)
            let lines = checked.output.split(separator: "\n")
            #expect(lines.count == 4)
            #expect(lines.first == "ok" && lines.last == "ok")
            #expect(lines.dropFirst().first?.hasPrefix("error 21 ") == true)
            let same = try Child.odata("metadata", place.url, "--diff", file, "--json")
            #expect(same.output == #"{"compatible":true,"keepsData":true,"changes":[]}"# + "\n")
            let help = try Child.odata("sync", "--help")
            #expect(help.status == 0 && help.output.contains("--store"))
        }
    }

    /// What the grammar has is right, also where our service answers 501; what stands behind it is read too.
    @Test func whatOnlyTheLanguageHasIsRight() async throws {
        try await onOwnThread {
            let right = [
                "Items?$expand=$value", "Items?$expand=*,$value",
                "Items?$filter=Parts/$count($search=blue) gt 1",
                "Items?$apply=traverse($root/Nodes,H,ID,preorder,filter(Name ne %27a%27),Name desc)",
                "Items?$apply=descendants($root/Nodes,H,ID,filter(ID eq 1),topcount(3,Name),keep start)",
                "Items?$apply=ancestors($root/Nodes,H,ID,search(a),filter(ID eq 1))",
            ]
            let wrong = right.map { $0 + ")" }
            let checked = try Child.odata(
                "check-uri", input: (right + wrong).map { $0 + "\n" }.joined())
            let lines = checked.output.split(separator: "\n")
            #expect(lines.prefix(right.count).allSatisfy { $0 == "ok" }, "\(lines)")
            #expect(lines.count == 2 * right.count)
            #expect(lines.dropFirst(right.count).allSatisfy { $0.hasPrefix("error ") }, "\(lines)")
        }
    }
}
