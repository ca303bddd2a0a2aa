import ODataProxy
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import StrictService
import Testing

/// Requests that come again under their identity: a proxy adds to a service what that lacks.
@Suite struct PassedRepetitionTests {
    @Test func aKnownAnswerIsGivenAgain() async throws {
        try await PassPlace.run { place in
            let create = place.repeating("POST", "/Tools", #"{"Title":"x"}"#)
            let first = create()
            #expect(first.status == 201)
            #expect(first.headers["Repeatability-Result"] == "accepted")
            let sent = place.front.requests.count
            try place.restartProxy()
            let second = create()
            #expect(second.status == 201)
            #expect(second.body == first.body)
            #expect(second.headers["Location"] == first.headers["Location"])
            #expect(place.effects == ["create Tools(101)"])
            #expect(place.front.changes.count == 1)
            #expect(place.front.requests.count >= sent)
            let other = PassPlace.request(
                "POST", "/Tools", #"{"Title":"y"}"#, PassPlace.identity(1))
            #expect(place.proxy.service.respond(to: other).status == 400)
        }
    }

    /// Whether the request or its answer was lost, before or behind a restart: one effect.
    @Test(arguments: [true, false], [true, false])
    func anUpdateHasOneEffect(_ losesAnswer: Bool, _ restarts: Bool) async throws {
        try await PassPlace.run { place in
            let update = place.repeating(
                "PATCH", "/Tools(1)", #"{"Title":"mine"}"#, place.ifMatch("/Tools(1)"))
            place.front.failNextChange(losesAnswer ? .loseAnswer : .loseRequest)
            let lost = update()
            #expect(lost.status == 504, "\(lost.json)")
            if restarts { try place.restartProxy() }
            let again = update()
            #expect(again.status == 204, "\(again.json)")
            #expect(place.effects == ["update Tools(1)"])
            #expect(place.front.changes.count == (losesAnswer ? 1 : 2))
            #expect(place.get("/Tools(1)").json["Title"]?.string == "mine")
            #expect(update().status == 204)
            #expect(place.effects == ["update Tools(1)"])
        }
    }

    @Test(arguments: [true, false])
    func aCreationWithTheKeyOfTheClientHasOneEffect(_ losesAnswer: Bool) async throws {
        try await PassPlace.run { place in
            let create = place.repeating("POST", "/Members", #"{"Id":7,"Name":"Ada"}"#)
            place.front.failNextChange(losesAnswer ? .loseAnswer : .loseRequest)
            #expect(create().status == 504)
            try place.restartProxy()
            let again = create()
            #expect(again.status == 201, "\(again.json)")
            #expect(again.headers["Location"] == "http://127.0.0.1/Members(7)")
            #expect(place.effects == ["create Members(7)"])
            #expect(place.get("/Members(7)").json["Name"]?.string == "Ada")
        }
    }

    @Test(arguments: [true, false])
    func aDeletionHasOneEffect(_ losesAnswer: Bool) async throws {
        try await PassPlace.run { place in
            let delete = place.repeating("DELETE", "/Tools(3)", "", place.ifMatch("/Tools(3)"))
            place.front.failNextChange(losesAnswer ? .loseAnswer : .loseRequest)
            #expect(delete().status == 504)
            place.proxy.sweep()
            let again = delete()
            #expect(again.status == 204, "\(again.json)")
            #expect(place.effects == ["delete Tools(3)"])
            #expect(place.get("/Tools(3)").status == 404)
        }
    }

    /// Nothing tells which entity it would be.
    @Test(arguments: [true, false])
    func aCreationWithTheKeyOfTheOriginIsNotMadeTwice(_ losesAnswer: Bool) async throws {
        try await PassPlace.run { place in
            let create = place.repeating("POST", "/Tools", #"{"Title":"x"}"#)
            place.front.failNextChange(losesAnswer ? .loseAnswer : .loseRequest)
            #expect(create().status == 504)
            try place.restartProxy()
            for _ in 0..<2 {
                let again = create()
                #expect(again.status == 409)
                #expect(again.json["error"]?["code"]?.string == "fateUnknown")
            }
            #expect(place.effects.count == (losesAnswer ? 1 : 0))
            #expect(place.front.changes.count == 1)
        }
    }

    /// Others have changed the row since: neither is it what was to be written, nor what it was before.
    @Test func whatOthersDidMeanwhileIsNotWrittenOver() async throws {
        try await PassPlace.run { place in
            place.front.hideTags()
            place.proxy.sweep()
            let update = place.repeating(
                "PATCH", "/Tools(1)", #"{"Title":"mine"}"#)
            place.front.failNextChange(.loseAnswer)
            #expect(update().status == 504)
            place.strict.rename(1, "theirs")
            let again = update()
            #expect(again.status == 409)
            #expect(again.json["error"]?["code"]?.string == "fateUnknown")
            #expect(place.strict.title(1) == "theirs")
            #expect(place.effects == ["update Tools(1)"])
        }
    }

    /// Nothing was done, and nothing is remembered.
    @Test func aRefusalLetsTheRequestComeAgain() async throws {
        try await PassPlace.run { place in
            let create = place.repeating("POST", "/Tools", #"{"Title":"x"}"#)
            place.front.failNextChange(
                .answer(
                    ResponseMessage(
                        status: 503, headers: ["Retry-After": "1", "OData-Version": "4.0"],
                        body: Array(#"{"error":{"code":"busy","message":"later"}}"#.utf8))))
            let refused = create()
            #expect(refused.status == 503)
            #expect(refused.json["error"]?["code"]?.string == "busy")
            #expect(create().status == 201)
            #expect(place.effects == ["create Tools(101)"])
        }
    }

    /// What is remembered is not given up for more.
    @Test func onlySoManyAreRemembered() async throws {
        try await PassPlace.run(adjusting: { $0.service.rememberedRequests = 2 }) { place in
            let statuses = (1...3).map { number in
                place.proxy.service.respond(
                    to: PassPlace.request(
                        "POST", "/Tools", #"{"Title":"t"}"#, PassPlace.identity(number))
                ).status
            }
            #expect(statuses == [201, 201, 503])
            #expect(place.effects.count == 2)
            #expect(place.ask("POST", "/Tools", #"{"Title":"t"}"#).status == 201)
        }
    }
}
