import Foundation
import OData
import ODataTesting
import Testing

@Suite("The Swift face: derived and open types, contained entities, singletons")
struct TypeTests {
    @Test("SWI-034 Derived types are queried, asked for in conditions, and read as such")
    func derived() async throws {
        try await WrittenService.run(["GET Animals": WrittenService.animals]) { place in
            let store = try await place.store(.set(Animal.self))
            try await store.sync()
            #expect(try await store.fetch(Animal.all).count == 3)
            let dogs = try await store.fetch(Dog.all.order(by: \.id))
            #expect(dogs.map(\.id) == [1, 3] && dogs.map(\.breed) == ["Lab", "Lab"])
            #expect(dogs.map(\.kind) == ["Demo.Dog", "Demo.Puppy"])
            let labs = Animal.all.where { $0.dog.breed == "Lab" && $0.name == "Pip" }
            #expect(try await store.fetch(labs).map(\.id) == [3])
            #expect(try await store.fetch(Animal.all.where { !$0.isDog }).map(\.id) == [2])
            let named = Animal.all.where { $0.name == "Rex" }.of(Dog.self).where { $0.breed != nil }
            #expect(try await store.fetch(named).map(\.breed) == ["Lab"])
            await #expect(
                code { _ = try await store.fetch(Animal.all.of(Item.self)) } == .unknownName)
            // A ref may be looked at as another type; what is no such thing is not found.
            let tom = try #require(try await store.fetch(Animal.all.where { $0.id == 2 }).first)
            #expect(try await store.fetch(tom.ref.cast(to: Dog.self)) == nil)
            let rex = try #require(dogs.first)
            #expect(try await store.fetch(rex.ref.cast(to: Animal.self))?.name == "Rex")
            #expect(try await store.fetch(rex.ref.cast(to: Item.self)) == nil)
            await #expect(
                code {
                    try await store.write { tx in
                        try tx.update(tom.ref.cast(to: Dog.self)) { $0.breed = "None" }
                    }
                } == .notFound)
        }
    }

    @Test("SWI-034 Entities of derived types are created and changed with what they add")
    func derivedChanges() async throws {
        try await WrittenService.run(["GET Animals": WrittenService.animals]) { place in
            let store = try await place.store(.set(Animal.self))
            try await store.sync()
            let rex = try #require(try await store.fetch(Dog.all.order(by: \.id)).first)
            // Each by itself: this service takes no batches.
            try await store.write { tx in try tx.update(rex) { $0.breed = "Poodle" } }
            let made = try await store.write { tx in
                try tx.insert(Dog.Draft(id: 9, name: "New", breed: "Pug"))
            }.value
            #expect(try await store.fetch(made)?.kind == "Demo.Dog")
            try await store.sync()
            let changes = place.seen.filter { !$0.hasPrefix("GET") }
            #expect(changes.contains { $0.hasPrefix("PATCH Animals(1)") && $0.contains("Poodle") })
            #expect(
                changes.contains {
                    $0.hasPrefix("POST Animals ") && $0.contains("#Demo.Dog")
                        && $0.contains("Pug")
                })
        }
    }

    @Test("SWI-034 A refused change of a derived type is fixed with what the type adds")
    func derivedFix() async throws {
        try await WrittenService.run([
            "GET Animals": WrittenService.animals,
            "PATCH Animals(1)": #"{"error":{"code":"no","message":"Not this."}}"#,
        ]) { place in
            let store = try await place.store(.set(Animal.self))
            try await store.sync()
            let rex = try #require(try await store.fetch(Dog.all.order(by: \.id)).first)
            try await store.write { tx in try tx.update(rex) { $0.breed = "Wrong" } }
            #expect(try await store.sync().refused == 1)
            var lists = store.refusals.makeAsyncIterator()
            let refusal = try #require(await lists.next()?.first)
            try await refusal.fix(Dog.self) { $0.breed = "Right" }
            place.put("PATCH Animals(1)", ##"{"@odata.type":"#Demo.Dog","Id":1,"Breed":"Right"}"##)
            #expect(try await store.sync().accepted == 1)
            #expect(place.seen.last { $0.hasPrefix("PATCH") }?.contains("Right") == true)
        }
    }

    @Test("SWI-045 A refused change says which entity it is to who asks for a type that it has")
    func derivedRefusals() async throws {
        let no = #"{"error":{"code":"no","message":"Not this."}}"#
        try await WrittenService.run([
            "GET Animals": WrittenService.animals, "PATCH Animals(1)": no, "PATCH Animals(2)": no,
            "DELETE Animals(3)": no, "POST Animals": no,
        ]) { place in
            let store = try await place.store(.set(Animal.self))
            try await store.sync()
            let animals = try await store.fetch(Animal.all.order(by: \.id))
            for animal in animals.prefix(2) {
                try await store.write { tx in try tx.update(animal) { $0.name = "Other" } }
            }
            try await store.write { tx in try tx.delete(animals[2]) }
            let made = try await store.write { tx in
                try tx.insert(Dog.Draft(id: 9, name: "New", breed: "Pug"))
            }.value
            #expect(try await store.sync().refused == 4)
            var lists = store.refusals.makeAsyncIterator()
            let refusals = try #require(await lists.next())
            #expect(refusals.map(\.operation) == [.update, .update, .deletion, .creation])
            #expect(refusals.prefix(3).map { $0.ref(as: Animal.self) } == animals.map(\.ref))
            let dogs = refusals.map { $0.ref(as: Dog.self) }
            // What is deleted here is of the type that the service has told.
            let known = [animals[0], animals[2]].map { $0.ref.cast(to: Dog.self) }
            #expect(dogs == [known[0], nil, known[1], made])
            #expect(refusals.allSatisfy { $0.ref(as: Item.self) == nil })
            await #expect(code { try await refusals[1].fix(Dog.self) { $0.breed = "X" } } == .usage)
        }
    }

    @Test("SWI-034 Links that a download found empty are known to be so in rows of derived types")
    func derivedLinks() async throws {
        try await WrittenService.run([
            "GET Animals":
                #"""
            {"value":[{"@odata.type":"#Demo.Puppy","Id":3,"Name":"Pip","Toys":[]},
            {"Id":4,"Name":"Kit","Toys":[{"Id":1}]}]}
            """#
        ]) { place in
            let store = try await place.store(.set(Owner.self) { $0.expand(\.toys) })
            try await store.sync()
            let owners = try await store.fetch(Owner.all.order(by: \.id).expand(\.toys))
            #expect(try owners.map { try $0.toys.get().map(\.id) } == [[], [1]])
        }
    }

    @Test("SWI-038 Several new entities for a link to one are refused")
    func twoForOne() async throws {
        struct Litter: EntityDraft {
            typealias Target = Dog
            func write(to values: inout Values) {
                values.set("Id", 50)
                values.insert("Boss", [51, 52].map { Dog.Draft(id: $0, name: "A", breed: "B") })
            }
        }
        try await WrittenService.run(["GET Animals": WrittenService.animals]) { place in
            let store = try await place.store(.set(Animal.self))
            try await store.sync()
            await #expect(
                code { _ = try await store.write { try $0.insert(Litter()) } } == .wrongType)
        }
    }

    @Test("SWI-034 What an open type does not declare is read, asked for, changed and taken away")
    func open() async throws {
        try await WrittenService.run(["GET Items": WrittenService.items]) { place in
            let store = try await place.store(.set(Item.self))
            try await store.sync()
            let items = try await store.fetch(Item.all.order(by: \.id))
            let (first, second) = (try #require(items.first), items[1])
            #expect(first.dynamic.names == ["Color", "Count", "New", "Tags", "Weight"])
            #expect(try first[dynamic: "Color"]?.get(as: String.self) == "red")
            #expect(try first[dynamic: "Count"]?.get(as: Int.self) == 7)
            #expect(try first[dynamic: "New"]?.get(as: Bool.self) == true)
            #expect(try first[dynamic: "Tags"]?.get(as: [String].self) == ["x", "y"])
            #expect(first[dynamic: "None"] == nil && items[2].dynamic.names.isEmpty)
            #expect(throws: ODataError.self) { try first[dynamic: "Color"]?.get(as: Int.self) }
            #expect(try await store.fetch(Item.all.where { $0.color == "red" }).map(\.id) == [1])
            let counted = Item.all.where { $0.dynamic("Count", as: Int.self) > 9 }
            #expect(try await store.fetch(counted).map(\.id) == [2])
            try await store.write { tx in
                try tx.update(first) {
                    $0[dynamic: "Color"] = "green"
                    $0[dynamic: "Size"] = 5
                }
            }
            try await store.write { tx in
                try tx.update(second) { $0[dynamic: "Color"] = nil }
            }
            try await store.write { tx in
                var dynamic = DynamicProperties()
                dynamic["Color"] = "white"
                try tx.insert(Item.Draft(id: 9, dynamic: dynamic))
            }
            #expect(try await store.fetch(Item.all.where { $0.color == "white" }).map(\.id) == [9])
            let now = try #require(try await store.fetch(second.ref))
            #expect(now[dynamic: "Color"] == nil && now[dynamic: "Count"] != nil)
            try await store.sync()
            let changes = place.seen.filter { !$0.hasPrefix("GET") }
            let patch = try #require(changes.first { $0.hasPrefix("PATCH Items(1)") })
            #expect(patch.contains(#""Color":"green""#) && patch.contains(#""Size":5"#))
            #expect(!patch.contains("Weight") && !patch.contains("Name"))
            let gone = try #require(changes.first { $0.hasPrefix("PATCH Items(2)") })
            #expect(gone.contains(#""Color":null"#) && !gone.contains("Count"))
            #expect(changes.contains { $0.hasPrefix("POST Items ") && $0.contains("white") })
        }
    }

    @Test("SWI-037 A singleton is downloaded, read, followed and changed")
    func singleton() async throws {
        try await WrittenService.run(["GET Me": #"{"Id":7,"Mood":"good"}"#]) { place in
            let store = try await place.store(.set(Me.self))
            try await store.sync()
            let me = try #require(try await store.fetch(Me.all).first)
            #expect(me.id == 7 && me.mood == "good")
            #expect(try await store.fetch(Me.all.where { $0.mood == "bad" }).isEmpty)
            try await store.write { tx in try tx.update(me) { $0.mood = "better" } }
            #expect(try await store.fetch(me.ref)?.mood == "better")
            try await store.sync()
            #expect(
                place.seen.contains { $0.hasPrefix("PATCH Me ") && $0.contains("better") })
        }
    }

    @Test(
        "SWI-037 Contained entities come with their owner, and are created, changed and deleted in it"
    )
    func contained() async throws {
        try await WrittenService.run(["GET Orders": WrittenService.orders]) { place in
            let store = try await place.store(.set(Order.self) { $0.expand(\.lines) })
            try await store.sync()
            let query = Order.all.order(by: \.id).expand(\.lines) { $0.order(by: \.number) }
            let orders = try await store.fetch(query)
            let lines = try #require(orders.first).lines.get()
            #expect(lines.map(\.text) == ["Nut", "Bolt"])
            #expect(try orders[1].lines.get().isEmpty)
            let owner = orders[1].ref
            try await store.write { tx in try tx.update(lines[0]) { $0.text = "Screw" } }
            try await store.write { tx in try tx.delete(lines[1]) }
            let made = try await store.write { tx in
                try tx.insert(Line.Draft(number: 5, text: "New"), in: \.lines, of: owner)
            }.value
            let now = try await store.fetch(query)
            #expect(try now[0].lines.get().map(\.text) == ["Screw"])
            #expect(try now[1].lines.get().map(\.ref) == [made])
            try await store.sync()
            let changes = place.seen.filter { !$0.hasPrefix("GET") }
            #expect(changes.contains { $0.hasPrefix("PATCH Orders(1)/Lines(1)") })
            #expect(changes.contains { $0.hasPrefix("DELETE Orders(1)/Lines(2)") })
            #expect(
                changes.contains { $0.hasPrefix("POST Orders(2)/Lines ") && $0.contains("New") })
            // Without their owner nobody can ask for them.
            await #expect(code { _ = try await store.fetch(Line.all) } == .unknownName)
        }
    }

    @Test("SWI-038 A draft brings new entities inside, in one request")
    func deepInsertion() async throws {
        try await WrittenService.run(["GET Orders": WrittenService.orders]) { place in
            let store = try await place.store(.set(Order.self) { $0.expand(\.lines) })
            try await store.sync()
            let made = try await store.write { tx in
                try tx.insert(
                    Order.Draft(
                        id: 8, lines: [Line.Draft(number: 1, text: "A"), Line.Draft(number: 2)]))
            }.value
            let query = Order.all.where { $0.id == 8 }.expand(\.lines) { $0.order(by: \.number) }
            let order = try #require(try await store.fetch(query).first)
            #expect(order.ref == made)
            #expect(try order.lines.get().map(\.text) == ["A", nil])
            try await store.sync()
            let posts = place.seen.filter { $0.hasPrefix("POST") }
            #expect(posts.count == 1 && posts[0].hasPrefix("POST Orders "))
            #expect(posts[0].contains(#""Lines":[{"No":1,"Text":"A"},{"No":2}]"#))
        }
    }
}
