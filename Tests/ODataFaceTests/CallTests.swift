import Foundation
import OData
import ODataTesting
import Testing

@Suite("The Swift face: actions and functions")
struct CallTests {
    @Test(
        "SWI-036 Operations bound to an entity, to a collection and to nothing go out typed and come back typed"
    )
    func calls() async throws {
        try await WrittenService.run([
            "GET Animals": WrittenService.animals,
            "POST Animals(1)/Demo.Dog/Demo.Bark": #"{"Word":"wow","Tone":"High"}"#,
            "GET Animals/Demo.Heard(tone=Demo.Tone'High',word='a''b')":
                #"{"value":[{"Id":2,"Name":"Tom"},{"Id":77,"Name":"Far"},{"Id":78,"Name":"Away"}]}"#,
            "GET Sum(a=1)": #"{"value":1}"#, "GET Sum(a=1,b=2)": #"{"value":3}"#,
        ]) { place in
            let store = try await place.store(.set(Animal.self))
            try await store.sync()
            let rex = try #require(try await store.fetch(Dog.all.order(by: \.id)).first)
            let sound = try await store.call(
                Bark(rex.ref, times: 2, sounds: [Sound(word: "wuff", tone: .high)]))
            #expect(sound?.word == "wow" && sound?.tone == .high)
            let post = try #require(place.seen.first { $0.hasPrefix("POST") })
            #expect(
                post.hasSuffix(#"{"times":2,"sounds":[{"Word":"wuff","Tone":"High"}]}"#), "\(post)")
            let heard = try await store.call(Heard(tone: .high, word: "a'b"))
            #expect(heard.map(\.name) == ["Tom", "Far", "Away"])
            // Those that are here are known again; others are none of the store's, and not each other.
            let tom = try #require(try await store.fetch(Animal.all.where { $0.id == 2 }).first)
            #expect(heard[0].ref == tom.ref && heard[1].ref != heard[2].ref)
            #expect(try await store.fetch(heard[1].ref) == nil)
            #expect(try await store.call(Sum(a: 1)) == 1)
            #expect(try await store.call(Sum(a: 1, b: 2)) == 3)
        }
    }

    @Test(
        "SWI-036 An operation of a contained entity is called on it, and one without a result gives none"
    )
    func contained() async throws {
        try await WrittenService.run(["GET Orders": WrittenService.orders]) { place in
            let store = try await place.store(.set(Order.self) { $0.expand(\.lines) })
            try await store.sync()
            let query = Order.all.order(by: \.id).expand(\.lines) { $0.order(by: \.number) }
            let line = try #require(try await store.fetch(query).first?.lines.get().last)
            place.put("POST Orders(1)/Lines(2)/Demo.Number", "")
            try await store.call(NumberLine(target: .entity(line.ref)))
            #expect(place.seen.contains { $0.hasPrefix("POST Orders(1)/Lines(2)/Demo.Number") })
        }
    }

    @Test("SWI-036 Of overloads the one is called that takes what it is called on")
    func overloads() async throws {
        try await WrittenService.run(["GET Animals": WrittenService.animals]) { place in
            let store = try await place.store(.set(Animal.self))
            try await store.sync()
            let rex = try #require(try await store.fetch(Dog.all.order(by: \.id)).first)
            place.put("POST Animals(1)/Demo.Dog/Demo.Tag", "")
            try await store.call(Tag(target: .entity(rex.ref), mark: "good"))
            let post = try #require(place.seen.last { $0.hasPrefix("POST") })
            #expect(post.contains(#""mark":"good""#))
        }
    }

    @Test(
        "SWI-036 A call without a network, of an unknown entity or operation, and of a wrong answer says so"
    )
    func refusals() async throws {
        struct Missing: RemoteOperation { static let name = "Missing" }
        struct Odd: RemoteOperation {
            static let name = "Sum"
            func write(to arguments: inout Values) { arguments.set("c", 1) }
        }
        try await WrittenService.run([
            "GET Animals": WrittenService.animals, "GET Sum(a=5)": #"{"value":5}"#,
        ]) { place in
            struct Listed: RemoteOperation {
                static let name = "Sum"
                func write(to arguments: inout Values) { arguments.set("a", 5) }
                static func result(_ answer: OperationAnswer) throws(ODataError) -> [Animal] {
                    try answer.entities()
                }
            }
            let store = try await place.store(.set(Animal.self))
            try await store.sync()
            await #expect(code { try await store.call(Missing()) } == .unknownName)
            await #expect(code { try await store.call(Odd()) } == .unknownName)
            await #expect(code { _ = try await store.call(Listed()) } == .wrongType)
            await #expect(code { _ = try await store.call(Sum(a: 404)) } == .service)
            let made = try await store.write { tx in
                try tx.insert(Dog.Draft(id: 9, name: "New", breed: "Pug"))
            }.value
            await #expect(
                code { _ = try await store.call(Bark(made, times: 1, sounds: [])) } == .conflict)
            try await store.close()
            await #expect(code { _ = try await store.call(Sum(a: 1)) } == .storeClosed)
        }
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let service = place.service
            try await onOwnThread { service.close() }
            await #expect(code { try await store.call(Missing()) } == .unknownName)
        }
    }
}
