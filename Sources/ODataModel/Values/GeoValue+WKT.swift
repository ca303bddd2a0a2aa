extension GeoValue {
    /// Extended well-known text as OData writes it (ABNF `fullPointLiteral` and the like), with `SRID=…;` where the
    /// reference system is known.
    package var wkt: String {
        (srid.map { "SRID=\($0);" } ?? "") + Self.text(shape)
    }

    /// Reads extended well-known text, `SRID=…;` optional, names in either case; nil when malformed.
    package init?(wkt text: some StringProtocol) {
        let value = LexicalCursor.readAll(text) { cursor -> GeoValue? in
            var srid: Int32?
            if cursor.takeWord("SRID") {
                guard cursor.take("="), let number = cursor.number(digits: 1...9),
                    cursor.take(";")
                else { return nil }
                srid = Int32(number)
            }
            return cursor.shape(depth: 0).map { GeoValue($0, srid: srid) }
        }
        guard let value else { return nil }
        self = value
    }

    private static func text(_ shape: Shape) -> String {
        let name =
            if case .collection = shape { "Collection" } else { shape.name }
        let positions = shape.positions
        // A measure without altitude needs the tag; OData's own form has none.
        let tag =
            positions.contains { $0.m != nil } && positions.allSatisfy { $0.z == nil } ? " M " : ""
        func line(_ positions: [Position]) -> String { parenthesised(positions.map(text)) }
        func lines(_ value: [[Position]]) -> String { parenthesised(value.map(line)) }
        switch shape {
        case .point(nil): return name + " EMPTY"
        case .point(let position?): return name + tag + "(" + text(position) + ")"
        case .lineString(let value): return name + tag + line(value)
        case .multiPoint(let value):
            return name + tag + parenthesised(value.map { "(" + text($0) + ")" })
        case .polygon(let value), .multiLineString(let value): return name + tag + lines(value)
        case .multiPolygon(let value): return name + tag + parenthesised(value.map(lines))
        case .collection(let value): return name + parenthesised(value.map(text))
        }
    }

    private static func parenthesised(_ parts: [String]) -> String {
        "(" + parts.joined(separator: ",") + ")"
    }

    private static func text(_ position: Position) -> String {
        [position.x, position.y, position.z, position.m].compactMap { $0.map(text) }
            .joined(separator: " ")
    }

    /// The shortest digits, without a fraction of zero.
    static func text(_ number: Double) -> String {
        let text = Lexical.text(.double(number))
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension LexicalCursor {
    fileprivate mutating func takeWord(_ word: String) -> Bool {
        let start = self
        for letter in word.unicodeScalars {
            guard takeLetter(letter) else {
                self = start
                return false
            }
        }
        return true
    }

    private mutating func skipSpaces() {
        while take(" ") {}
    }

    fileprivate mutating func shape(depth: Int) -> GeoValue.Shape? {
        guard depth <= GeoValue.maximumDepth else { return nil }
        // Longer names first: `MultiPoint` before `Point` cannot clash, `Polygon` and `Point` can.
        for (word, read) in Self.readers where takeWord(word) {
            skipSpaces()
            var order = MeasureOrder.plain
            if takeWord("ZM") {
                order = .plain
            } else if takeWord("Z") {
                order = .plain
            } else if takeWord("M") {
                order = .measureOnly
            }
            skipSpaces()
            if takeWord("EMPTY") { return read.empty }
            return read.body(&self, order, depth)
        }
        return nil
    }

    fileprivate enum MeasureOrder: Sendable { case plain, measureOnly }

    fileprivate struct Reader: Sendable {
        let empty: GeoValue.Shape
        let body: @Sendable (inout LexicalCursor, MeasureOrder, Int) -> GeoValue.Shape?
    }

    private static let readers: [(String, Reader)] = [
        (
            "MultiPoint",
            Reader(empty: .multiPoint([])) { cursor, order, _ in
                cursor.list { $0.wrappedPosition(order) }.map { .multiPoint($0) }
            }
        ),
        (
            "MultiLineString",
            Reader(empty: .multiLineString([])) { cursor, order, _ in
                cursor.list { $0.line(order) }.map { .multiLineString($0) }
            }
        ),
        (
            "MultiPolygon",
            Reader(empty: .multiPolygon([])) { cursor, order, _ in
                cursor.list { cursor in cursor.list { $0.line(order) } }.map { .multiPolygon($0) }
            }
        ),
        (
            "Point",
            Reader(empty: .point(nil)) { cursor, order, _ in
                guard let positions = cursor.line(order), positions.count == 1 else { return nil }
                return .point(positions[0])
            }
        ),
        (
            "LineString",
            Reader(empty: .lineString([])) { cursor, order, _ in
                cursor.line(order).map { .lineString($0) }
            }
        ),
        (
            "Polygon",
            Reader(empty: .polygon([])) { cursor, order, _ in
                cursor.list { $0.line(order) }.map { .polygon($0) }
            }
        ),
        ("GeometryCollection", collectionReader),
        ("Collection", collectionReader),
    ]

    private static let collectionReader = Reader(empty: .collection([])) { cursor, _, depth in
        cursor.list { $0.shape(depth: depth + 1) }.map { .collection($0) }
    }

    /// `( item , item … )`, also without items.
    private mutating func list<Item>(
        _ item: (inout LexicalCursor) -> Item?
    ) -> [Item]? {
        skipSpaces()
        guard take("(") else { return nil }
        skipSpaces()
        if take(")") { return [] }
        var items: [Item] = []
        repeat {
            skipSpaces()
            guard let next = item(&self) else { return nil }
            items.append(next)
            skipSpaces()
        } while take(",")
        return take(")") ? items : nil
    }

    private mutating func line(_ order: MeasureOrder) -> [GeoValue.Position]? {
        list { $0.geoPosition(order) }
    }

    /// A position of a multi-point, in parentheses or without.
    private mutating func wrappedPosition(_ order: MeasureOrder) -> GeoValue.Position? {
        guard take("(") else { return geoPosition(order) }
        skipSpaces()
        guard let position = geoPosition(order) else { return nil }
        skipSpaces()
        return take(")") ? position : nil
    }

    private mutating func geoPosition(_ order: MeasureOrder) -> GeoValue.Position? {
        guard let x = coordinate(), take(" ") else { return nil }
        skipSpaces()
        guard let y = coordinate() else { return nil }
        var extra: [Double] = []
        while extra.count < 2, take(" ") {
            skipSpaces()
            guard let value = coordinate() else { break }
            extra.append(value)
        }
        if order == .measureOnly { return GeoValue.Position(x, y, m: extra.first) }
        return GeoValue.Position(x, y, z: extra.first, m: extra.count > 1 ? extra[1] : nil)
    }

    private mutating func coordinate() -> Double? {
        let text = remaining { byte in
            byte &- 48 < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
                || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
        }
        guard case .double(let value)? = Lexical.scalar(text, as: .double) else { return nil }
        for _ in 0..<text.utf8.count { skip() }
        return value
    }
}
