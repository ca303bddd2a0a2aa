import ODataProxy
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import StrictService
import Testing

/// Changes that a proxy passes on to a service that others wrote (`odata serve --proxy … --proxy-writes`).
@Suite struct PassedChangeTests {
    @Test func aChangeIsAtTheOriginAndHereBeforeItsAnswer() async throws {
        try await PassPlace.run { place in
            let link = place.deltaLink("/Tools")
            let answer = place.ask(
                "PATCH", "/Tools(1)", #"{"Title":"Fret saw","Size":{"Height":4}}"#,
                place.ifMatch("/Tools(1)"))
            #expect(answer.status == 204, "\(answer.json)")
            #expect(place.strict.title(1) == "Fret saw")
            #expect(place.effects == ["update Tools(1)"])
            let read = place.get("/Tools(1)")
            #expect(read.json["Title"]?.string == "Fret saw")
            #expect(read.json["Size"]?["Height"]?.text == "4")
            #expect(read.json["Price"]?.text == "12.50")
            #expect(answer.headers["ETag"] == read.headers["ETag"])
            #expect(place.get(link).items.compactMap { $0["Id"]?.text } == ["1"])
            // The reading that follows finds what is here already.
            let after = place.deltaLink("/Tools")
            place.proxy.sweep()
            #expect(place.get(after).items.isEmpty)
            // The reading asks whether there are batches.
            #expect(place.strict.refusals.allSatisfy { $0.status == 415 })
        }
    }

    @Test func theKeyThatTheOriginGivesComesBack() async throws {
        try await PassPlace.run { place in
            let link = place.deltaLink("/Tools")
            let answer = place.ask(
                "POST", "/Tools",
                #"{"Title":"Plane","Price":3.5,"Owner@odata.bind":"Members(2)"}"#)
            #expect(answer.status == 201, "\(answer.json)")
            #expect(answer.json["Id"]?.text == "101")
            #expect(answer.headers["Location"] == "http://127.0.0.1/Tools(101)")
            #expect(place.get("/Tools(101)").json["OwnerId"]?.text == "2")
            #expect(place.get(link).items.compactMap { $0["Title"]?.string } == ["Plane"])
            let minimal = place.ask(
                "POST", "/Tools", #"{"Title":"Rasp"}"#, "Prefer: return=minimal")
            #expect(minimal.status == 204)
            #expect(minimal.headers["OData-EntityId"] == "http://127.0.0.1/Tools(102)")
            let after = place.deltaLink("/Tools")
            place.proxy.sweep()
            #expect(place.get(after).items.isEmpty)
        }
    }

    @Test func aDeletionIsOneThere() async throws {
        try await PassPlace.run { place in
            let link = place.deltaLink("/Tools")
            let answer = place.ask("DELETE", "/Tools(2)", "", place.ifMatch("/Tools(2)"))
            #expect(answer.status == 204, "\(answer.json)")
            #expect(place.effects == ["delete Tools(2)"])
            #expect(place.get("/Tools(2)").status == 404)
            let changes = place.get(link).items
            #expect(changes.count == 1)
            #expect(changes[0].text.contains("Tools(2)"))
            place.proxy.sweep()
            #expect(place.get("/Tools/$count").body == Array("2".utf8))
        }
    }

    @Test func propertiesAndLinksAreChangesOfTheirEntities() async throws {
        try await PassPlace.run { place in
            let value = place.ask(
                "PUT", "/Tools(1)/Title", #"{"value":"Jigsaw"}"#, place.ifMatch("/Tools(1)"))
            #expect(value.status == 204, "\(value.json)")
            #expect(place.strict.title(1) == "Jigsaw")
            let null = place.ask("DELETE", "/Tools(1)/Size", "", place.ifMatch("/Tools(1)"))
            #expect(null.status == 204, "\(null.json)")
            #expect(place.get("/Tools(1)").json["Size"] == .null)
            let link = place.ask(
                "PUT", "/Tools(2)/Owner/$ref", #"{"@odata.id":"Members(1)"}"#)
            #expect(link.status == 204, "\(link.json)")
            #expect(place.strict.owner(2) == "Mia")
            #expect(place.get("/Tools(2)").json["OwnerId"]?.text == "1")
            #expect(place.get("/Tools(2)/Owner").json["Name"]?.string == "Mia")
            let after = place.deltaLink("/Tools")
            place.proxy.sweep()
            #expect(place.get(after).items.isEmpty)
        }
    }

    /// The tag of a state here is that of a state there, of which the other service has changed.
    @Test func whatOthersChangedThereIsAConflict() async throws {
        try await PassPlace.run { place in
            let tag = place.ifMatch("/Tools(1)")
            place.strict.rename(1, "Others' saw")
            let refused = place.ask("PATCH", "/Tools(1)", #"{"Title":"mine"}"#, tag)
            #expect(refused.status == 412)
            #expect(place.effects.isEmpty)
            // Whoever reads again sees why, and goes on from there.
            #expect(place.get("/Tools(1)").json["Title"]?.string == "Others' saw")
            let again = place.ask(
                "PATCH", "/Tools(1)", #"{"Title":"mine"}"#, place.ifMatch("/Tools(1)"))
            #expect(again.status == 204, "\(again.json)")
            #expect(place.effects == ["update Tools(1)"])
            #expect(place.ask("PATCH", "/Tools(1)", #"{"Title":"x"}"#, tag).status == 412)
        }
    }

    /// The other service changes the entity between the look at it and the change.
    @Test func itsOwnTagGoesWithTheChange() async throws {
        try await PassPlace.run { place in
            let strict = place.strict
            place.front.failNextChange(.before { strict.rename(1, "in between") })
            let refused = place.ask(
                "PATCH", "/Tools(1)", #"{"Title":"mine"}"#, place.ifMatch("/Tools(1)"))
            #expect(refused.status == 412)
            #expect(place.effects.isEmpty)
            #expect(place.get("/Tools(1)").json["Title"]?.string == "in between")
        }
    }

    @Test func aServiceWithoutTagsIsComparedWith() async throws {
        try await onOwnThread {
            let place = try PassPlace()
            defer { try? place.proxy.close() }
            place.front.hideTags()
            place.proxy.sweep()
            let tag = place.ifMatch("/Tools(1)")
            place.strict.rename(1, "theirs")
            #expect(place.ask("PATCH", "/Tools(1)", #"{"Title":"mine"}"#, tag).status == 412)
            #expect(place.effects.isEmpty)
            let again = place.ask(
                "PATCH", "/Tools(1)", #"{"Title":"mine"}"#, place.ifMatch("/Tools(1)"))
            #expect(again.status == 204)
            #expect(place.strict.title(1) == "mine")
            let change = place.front.changes.last
            #expect(change?.headers["If-Match"] == nil)
        }
    }

    @Test func refusalsAreThoseOfTheOrigin() async throws {
        try await PassPlace.run { place in
            let required = place.ask("PATCH", "/Tools(1)", #"{"Title":"x"}"#)
            #expect(required.status == 428)
            let message = required.json["error"]?["message"]?.string
            #expect(message?.contains("without If-Match") == true)
            let known = place.ask("POST", "/Members", #"{"Id":1,"Name":"Ada"}"#)
            #expect(known.status == 409)
            #expect(known.json["error"]?["code"]?.string == "409")
            #expect(place.effects.isEmpty)
            // What can be told without it does not go there.
            let sent = place.front.changes.count
            #expect(place.ask("POST", "/Tools", #"{"Titel":"x"}"#).status == 400)
            #expect(
                place.ask("PATCH", "/Tools(77)", #"{"Title":"x"}"#, "If-Match: *").status == 404)
            #expect(place.front.changes.count == sent)
        }
    }

    @Test func whatIsNoChangeOfRowsIsRefusedByName() async throws {
        try await PassPlace.run { place in
            let photo = place.ask("POST", "/Photos", #"{"Name":"x"}"#)
            #expect(photo.status == 501)
            #expect(photo.json["error"]?["message"]?.string?.contains("streams") == true)
            #expect(place.ask("PUT", "/Tools(1)/Manual", "x").status == 404)
            #expect([400, 404].contains(place.ask("PUT", "/Photos(1)/$value", "x").status))
            #expect(place.ask("POST", "/Reset", "").status == 404)
            #expect(place.front.changes.isEmpty)
        }
    }

    /// A change set that nothing makes one is not taken apart.
    @Test func withoutBatchesThereIsNoChangeSet() async throws {
        try await PassPlace.run { place in
            func batch(_ members: Int) -> ResponseMessage {
                let items = (0..<members).map { number in
                    #"{"id":"\#(number)","atomicityGroup":"g","method":"POST","url":"Tools","#
                        + #""headers":{"content-type":"application/json"},"#
                        + #""body":{"Title":"t\#(number)"}}"#
                }
                let list = items.joined(separator: ",")
                return place.ask("POST", "/$batch", #"{"requests":[\#(list)]}"#)
            }
            for _ in 0..<2 {
                let answer = batch(2)
                let first = answer.json["responses"]?.array?.first
                #expect(first?["status"]?.text == "501")
                #expect(first?["body"]?.text.contains("batches") == true)
            }
            #expect(place.front.changes.isEmpty)
            #expect(place.effects.isEmpty)
            #expect(batch(1).json["responses"]?.array?.first?["status"]?.text == "201")
            #expect(place.effects == ["create Tools(101)"])
        }
    }

    @Test func aServiceOfV2IsSpokenToInItsOwnWords() async throws {
        try await PassPlace.run(.v2) { place in
            let link = place.deltaLink("/Tools")
            let answer = place.ask(
                "PATCH", "/Tools(1)", #"{"Title":"Fret saw"}"#, place.ifMatch("/Tools(1)"))
            #expect(answer.status == 204, "\(answer.json)")
            #expect(place.effects == ["update Tools(1)"])
            let change = place.front.changes.last
            #expect(change?.method == "MERGE")
            #expect(change?.url == "/w/Tools(1)")
            #expect(change?.headers["DataServiceVersion"] == "2.0")
            let read = place.get("/Tools(1)")
            #expect(read.json["Title"]?.string == "Fret saw")
            #expect(read.json["Price"]?.text == "12.50")
            #expect(place.get(link).items.compactMap { $0["Id"]?.text } == ["1"])
            let tag = place.ifMatch("/Tools(3)")
            place.strict.rename(3, "theirs")
            #expect(place.ask("DELETE", "/Tools(3)", "", tag).status == 412)
            let gone = place.ask("DELETE", "/Tools(3)", "", place.ifMatch("/Tools(3)"))
            #expect(gone.status == 204, "\(gone.json)")
            #expect(place.effects == ["update Tools(1)", "delete Tools(3)"])
            // It makes no tools, and takes no links: its word.
            #expect(place.ask("POST", "/Tools", #"{"Id":9,"Size":{"Height":1}}"#).status == 405)
            let after = place.deltaLink("/Tools")
            place.proxy.sweep()
            #expect(place.get(after).items.isEmpty)
        }
    }

    @Test func itReadsOnlyUnlessItIsToldOtherwise() async throws {
        try await PassPlace.run(adjusting: { $0.takesChanges = false }) { place in
            #expect(place.ask("POST", "/Tools", #"{"Title":"x"}"#).status == 405)
            #expect(place.front.changes.isEmpty)
        }
    }
}
