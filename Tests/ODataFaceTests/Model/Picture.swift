import OData

/// A media entity with a stream property, of a table of its own.
struct Picture: Entity {
    static let entitySet = "Pictures"
    let ref: Ref<Picture>
    let id: Int
    var caption: String?
    let content: MediaStream
    let thumb: MediaStream

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        id = try row.value("Id")
        caption = try row.value("Caption")
        content = try row.content(of: Self.self)
        thumb = try row.stream("Thumb", of: Self.self)
    }

    func write(to values: inout Values) { values.set("Caption", caption) }

    struct Fields: FieldSet {
        private let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var id: Field<Int> { path.field("Id") }
        var caption: Field<String?> { path.field("Caption") }
    }

    struct Draft: EntityDraft {
        typealias Target = Picture
        var caption: String?
        func write(to values: inout Values) { values.set("Caption", ifPresent: caption) }
    }
}
