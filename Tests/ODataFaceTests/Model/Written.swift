import OData

// The types of the written service, as a generator would write them.

struct Animal: Entity {
    static let entitySet = "Animals"
    let ref: Ref<Animal>
    let id: Int
    var name: String?
    /// Told by no property of the animal.
    var boss: Link<Animal>
    var friends: Links<Animal>

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        id = try row.value("Id")
        name = try row.value("Name")
        boss = try row.link("Boss")
        friends = try row.links("Friends")
    }

    func write(to values: inout Values) {
        values.set("Name", name)
        values.set("Boss", boss)
    }

    struct Fields: FieldSet {
        private let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var id: Field<Int> { path.field("Id") }
        var name: Field<String?> { path.field("Name") }
        var boss: ToOne<Animal> { path.toOne("Boss") }
        var friends: ToMany<Animal> { path.toMany("Friends") }
        var dog: Dog.Fields { path.derived("Demo.Dog") }
        var isDog: Condition { path.isOf("Demo.Dog") }
    }
}

struct Dog: Entity {
    static let entitySet = "Animals"
    static let typeName: String? = "Demo.Dog"
    let ref: Ref<Dog>
    let id: Int
    var name: String?
    var breed: String?
    /// What the row is, which may be more than a dog.
    let kind: String

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        id = try row.value("Id")
        name = try row.value("Name")
        breed = try row.value("Breed")
        kind = row.typeName
    }

    func write(to values: inout Values) {
        values.set("Name", name)
        values.set("Breed", breed)
    }

    struct Fields: FieldSet {
        private let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var id: Field<Int> { path.field("Id") }
        var name: Field<String?> { path.field("Name") }
        var breed: Field<String?> { path.field("Breed") }
    }

    struct Draft: EntityDraft {
        typealias Target = Dog
        var id: Int
        var name: String
        var breed: String
        func write(to values: inout Values) {
            values.set("Id", id)
            values.set("Name", name)
            values.set("Breed", breed)
        }
    }
}

/// An animal with what it plays with.
struct Owner: Entity {
    static let entitySet = "Animals"
    let ref: Ref<Owner>
    let id: Int
    let toys: Links<Toy>

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        id = try row.value("Id")
        toys = try row.links("Toys")
    }

    func write(to values: inout Values) {}

    struct Fields: FieldSet {
        private let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var id: Field<Int> { path.field("Id") }
        var toys: ToMany<Toy> { path.toMany("Toys") }
    }
}

struct Toy: Entity {
    static let entitySet = "Toys"
    let ref: Ref<Toy>
    let id: Int

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        id = try row.value("Id")
    }

    func write(to values: inout Values) {}

    struct Fields: FieldSet {
        init(_ path: FieldPath) {}
    }
}

struct Item: OpenEntity {
    static let entitySet = "Items"
    let ref: Ref<Item>
    let id: Int
    var name: String?
    var dynamic: DynamicProperties

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        id = try row.value("Id")
        name = try row.value("Name")
        dynamic = row.dynamic
    }

    func write(to values: inout Values) {
        values.set("Name", name)
        values.set(dynamic: dynamic)
    }

    struct Fields: FieldSet {
        private let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var id: Field<Int> { path.field("Id") }
        var color: Field<String?> { path.dynamic("Color") }
        func dynamic<Value: FieldValue>(_ name: String, as type: Value.Type) -> Field<Value?> {
            path.dynamic(name)
        }
    }

    struct Draft: EntityDraft {
        typealias Target = Item
        var id: Int
        var dynamic = DynamicProperties()
        func write(to values: inout Values) {
            values.set("Id", id)
            values.set(dynamic: dynamic)
        }
    }
}

struct Order: Entity {
    static let entitySet = "Orders"
    let ref: Ref<Order>
    let id: Int
    var lines: Links<Line>

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        id = try row.value("Id")
        lines = try row.links("Lines")
    }

    func write(to values: inout Values) {}

    struct Fields: FieldSet {
        private let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var id: Field<Int> { path.field("Id") }
        var lines: ToMany<Line> { path.toMany("Lines") }
    }

    struct Draft: EntityDraft {
        typealias Target = Order
        var id: Int
        var lines: [Line.Draft] = []
        func write(to values: inout Values) {
            values.set("Id", id)
            values.insert("Lines", lines)
        }
    }
}

struct Line: Entity {
    static let entitySet = "Orders/Lines"
    let ref: Ref<Line>
    let number: Int
    var text: String?

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        number = try row.value("No")
        text = try row.value("Text")
    }

    func write(to values: inout Values) { values.set("Text", text) }

    struct Fields: FieldSet {
        private let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var number: Field<Int> { path.field("No") }
        var text: Field<String?> { path.field("Text") }
    }

    struct Draft: EntityDraft {
        typealias Target = Line
        var number: Int
        var text: String?
        func write(to values: inout Values) {
            values.set("No", number)
            values.set("Text", ifPresent: text)
        }
    }
}

struct Me: Entity {
    static let entitySet = "Me"
    let ref: Ref<Me>
    let id: Int
    var mood: String?

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        id = try row.value("Id")
        mood = try row.value("Mood")
    }

    func write(to values: inout Values) { values.set("Mood", mood) }

    struct Fields: FieldSet {
        private let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var mood: Field<String?> { path.field("Mood") }
    }
}

struct Tone: OpenEnum {
    let rawValue: String
    static let high = Tone(rawValue: "High")
}

struct Sound: ComplexValue {
    var word: String?
    var tone: Tone?

    init(word: String, tone: Tone) { (self.word, self.tone) = (word, tone) }

    init(_ row: Row) throws(ODataError) {
        word = try row.value("Word")
        tone = try row.value("Tone")
    }

    func write(to values: inout Values) {
        values.set("Word", word)
        values.set("Tone", tone)
    }
}

struct Bark: RemoteOperation {
    static let name = "Demo.Bark"
    let target: OperationTarget
    var times: Int
    var sounds: [Sound]

    init(_ dog: Ref<Dog>, times: Int, sounds: [Sound]) {
        target = .entity(dog)
        (self.times, self.sounds) = (times, sounds)
    }

    func write(to arguments: inout Values) {
        arguments.set("times", times)
        arguments.set("sounds", sounds)
    }

    static func result(_ answer: OperationAnswer) throws(ODataError) -> Sound? {
        try answer.value()
    }
}

struct Tag: RemoteOperation {
    static let name = "Demo.Tag"
    let target: OperationTarget
    var mark: String

    func write(to arguments: inout Values) { arguments.set("mark", mark) }
}

struct NumberLine: RemoteOperation {
    static let name = "Demo.Number"
    let target: OperationTarget
}

struct Heard: RemoteOperation {
    static let name = "Demo.Heard"
    let target = OperationTarget.all(Animal.self)
    var tone: Tone
    var word: String

    func write(to arguments: inout Values) {
        arguments.set("tone", tone)
        arguments.set("word", word)
    }

    static func result(_ answer: OperationAnswer) throws(ODataError) -> [Animal] {
        try answer.entities()
    }
}

struct Sum: RemoteOperation {
    static let name = "Sum"
    var a: Int
    var b: Int?

    func write(to arguments: inout Values) {
        arguments.set("a", a)
        arguments.set("b", ifPresent: b)
    }

    static func result(_ answer: OperationAnswer) throws(ODataError) -> Int { try answer.value() }
}
