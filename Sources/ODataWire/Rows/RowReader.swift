import ODataText

/// Reads V4 pages of rows and hands each row to a sink as places of bytes: the download's hot path.
///
/// No value, dictionary or string is made for a row whose members the shape names. The whole row stays in memory
/// while the sink looks at it; memory is bounded by the reader's limits, not by the page. One reader serves all pages
/// of a query, because it learns the order in which the service writes members.
package struct RowReader: ~Copyable {
    let shape: RowShape
    private let limits: JSONLimits
    private let keys: [RowKeys]
    private let fields: UnsafeMutableBufferPointer<RowField>
    private let controls: UnsafeMutableBufferPointer<RowField>
    private var hasOtherControls = false
    /// What the elements of compact rows mean, for the columns of the page read last.
    private var compactColumns: [String] = []
    private var compactActions: [RowKeys.Action] = []
    var navigations: [RowNavigation] = []
    private var extras: [RowExtra] = []

    package init(shape: RowShape, limits: JSONLimits = JSONLimits()) {
        self.shape = shape
        self.limits = limits
        keys = shape.nodes.map { _ in RowKeys() }
        fields = .allocate(capacity: max(shape.columns.count, 1))
        fields.initialize(repeating: .missing)
        controls = .allocate(capacity: RowControl.allCases.count)
        controls.initialize(repeating: .missing)
    }

    deinit {
        fields.deallocate()
        controls.deallocate()
    }

    // Hot: FirstSync, LongestWrite
    /// Reads rows of `page` into `sink` until the page ends or the sink wants no more for now.
    ///
    /// - Returns: true when the page ended; its control information is complete then.
    /// - Throws: `malformedText`, `invalidPayload`, `limitExceeded`, or what the source or the sink throws; rows
    ///   handed over before stay handed over, and the page cannot be read further.
    package mutating func read<Sink: RowSink & ~Copyable>(
        _ page: inout RowPage, into sink: inout Sink
    ) throws -> Bool {
        while try page.advance() {
            if page.columns.isEmpty {
                try readRow(&page.reader, into: &sink)
            } else {
                try readCompactRow(&page.reader, page.columns, into: &sink)
            }
            page.control.rows += 1
            if sink.isFull { return false }
        }
        return true
    }

    /// Reads a whole page that is in memory.
    package mutating func readPage<Sink: RowSink & ~Copyable>(
        _ bytes: [UInt8], into sink: inout Sink
    ) throws -> PageControl {
        var page = RowPage(bytes, limits: limits)
        while try !read(&page, into: &sink) {}
        return page.control
    }

    /// Reads expanded content: an array of rows, one row, or null, which is no row.
    package mutating func readNested<Sink: RowSink & ~Copyable>(
        _ bytes: UnsafeRawBufferPointer, into sink: inout Sink
    ) throws {
        var reader = JSONReader(bytes, limits: limits)
        switch try reader.peek() {
        case .null: try reader.readNull()
        case .array:
            try reader.beginArray()
            while try reader.nextElement() { try readRow(&reader, into: &sink) }
        default: try readRow(&reader, into: &sink)
        }
    }

    /// Reads one entity at the top level, such as a singleton.
    package mutating func readEntity<Sink: RowSink & ~Copyable>(
        from source: any ByteSource, into sink: inout Sink
    ) throws {
        var reader = JSONReader(source: source, limits: limits)
        try readRow(&reader, into: &sink, isTopLevel: true)
        try reader.finish()
    }

    private mutating func readRow<Sink: RowSink & ~Copyable>(
        _ reader: inout JSONReader, into sink: inout Sink, isTopLevel: Bool = false,
        actions: [RowKeys.Action]? = nil
    ) throws {
        fields.update(repeating: .missing)
        controls.update(repeating: .missing)
        hasOtherControls = false
        if !navigations.isEmpty { navigations.removeAll(keepingCapacity: true) }
        if !extras.isEmpty { extras.removeAll(keepingCapacity: true) }
        try reader.hold()
        defer { reader.release() }
        let start = reader.offset
        if let actions {
            try readElements(&reader, actions)
        } else {
            try readMembers(&reader, node: 0)
        }
        let raw = JSONSpan(offset: start, count: reader.offset - start)
        var row = IncomingRow(
            kind: .entity, fields: UnsafeBufferPointer(fields),
            controls: UnsafeBufferPointer(controls), etag: controls[RowControl.etag.rawValue],
            hasOtherControls: hasOtherControls, navigations: navigations, extras: extras,
            raw: raw, origin: UnsafeRawPointer(reader.pointer(raw)) - raw.offset)
        if hasOtherControls, !isTopLevel { try classify(&row) }
        try sink.receive(row)
    }

    /// A row of a compact page: an array by the columns, or an object as always.
    private mutating func readCompactRow<Sink: RowSink & ~Copyable>(
        _ reader: inout JSONReader, _ columns: [String], into sink: inout Sink
    ) throws {
        guard try reader.peek() == .array else { return try readRow(&reader, into: &sink) }
        if columns != compactColumns {
            guard !columns.contains(where: CompactRows.special.contains)
            else {
                throw ODataError(
                    .invalidPayload, "Expected special rows as objects in a page of compact rows.",
                    at: .offset(reader.offset))
            }
            compactColumns = columns
            let nowhere = JSONSpan(offset: 0, count: 0)
            compactActions = columns.map { name in
                let action = shape.action(name, at: nowhere, node: 0)
                // Open rows come as objects, because their names have to be looked at.
                if case .extra = action { return .skip }
                return action
            }
        }
        try readRow(&reader, into: &sink, actions: compactActions)
    }

    private mutating func readElements(
        _ reader: inout JSONReader, _ actions: [RowKeys.Action]
    ) throws {
        try reader.beginArray()
        var index = 0
        while try reader.nextElement() {
            guard index < actions.count else { throw Self.uneven(reader.offset) }
            try take(actions[index], &reader)
            index += 1
        }
        guard index == actions.count else { throw Self.uneven(reader.offset) }
    }

    private static func uneven(_ offset: Int) -> ODataError {
        ODataError(
            .invalidPayload, "Expected as many values in a compact row as columns.",
            at: .offset(offset))
    }

    private func classify(_ row: inout IncomingRow) throws {
        if !row[.removed].isMissing, row[.removed].kind != .null {
            row.kind =
                row.text(row[.context]).map { ContextURL(parsing: $0).removalKind(in: shape.path) }
                ?? .removed
        } else if !row[.context].isMissing, let context = row.text(row[.context]) {
            row.kind = ContextURL(parsing: context).rowKind(in: shape.path)
        }
    }

    private mutating func readMembers(_ reader: inout JSONReader, node: Int) throws {
        try reader.beginObject()
        let keys = keys[node]
        var predicted = 0
        while try reader.advance(
            closing: UInt8(ascii: "}"), "a comma or the end of the object")
        {
            let action: RowKeys.Action
            if predicted < keys.count,
                try reader.matchKey(keys.keys[predicted].text, count: keys.keys[predicted].count)
            {
                action = keys.keys[predicted].action
                predicted += 1
            } else {
                action = try unpredicted(&reader, node: node, &predicted)
            }
            try take(action, &reader)
        }
    }

    /// Reads a name that is not the expected one and finds or learns what it means.
    private func unpredicted(
        _ reader: inout JSONReader, node: Int, _ predicted: inout Int
    ) throws -> RowKeys.Action {
        let keys = keys[node]
        let name = try reader.memberName()
        let known = reader.withBytes(name) { keys.find($0, from: predicted) }
        if let known {
            predicted = known + 1
            return keys.keys[known].action
        }
        let action = shape.action(reader.text(name), at: name, node: node)
        if case .extra = action { return action }
        if let learned = reader.withBytes(name, { keys.learn($0, action) }) {
            predicted = learned + 1
        }
        return action
    }

    private mutating func take(_ action: RowKeys.Action, _ reader: inout JSONReader) throws {
        switch action {
        case .slot(let slot):
            guard fields[slot].isMissing else { throw Self.repeated(reader.offset) }
            fields[slot] = try Self.field(&reader)
        case .complex(let slot, let node):
            try takeComplex(slot: slot, node: node, &reader)
        case .control(let control):
            controls[control.rawValue] = try Self.field(&reader)
            if control != .etag { hasOtherControls = true }
        case .navigation(let index, let part):
            let field = try Self.field(&reader)
            guard case .object = field.kind, case .value = part,
                let first = reader.withBytes(field.span, Self.v2Form)
            else {
                navigations.append(RowNavigation(index: index, part: part, field: field))
                return
            }
            try takeV2Related(index, first, field, &reader)
        case .metadata: try takeMetadata(&reader)
        case .extra(let name):
            extras.append(RowExtra(name: name, field: try Self.field(&reader)))
        case .skip: try reader.skipValue()
        }
    }

    mutating func set(_ control: RowControl, _ field: RowField) {
        controls[control.rawValue] = field
        if control != .etag { hasOtherControls = true }
    }

    private mutating func takeComplex(
        slot: Int?, node: Int, _ reader: inout JSONReader
    ) throws {
        let start = reader.offset
        switch try reader.peek() {
        case .null:
            try reader.readNull()
            if let slot { fields[slot] = RowField(.null) }
            for below in shape.nodes[node].slotsBelow { fields[below] = RowField(.null) }
        case .object:
            if let slot { fields[slot] = RowField(.object) }
            try readMembers(&reader, node: node)
        default:
            throw ODataError(
                .invalidPayload, "Expected an object for a complex property, found another value.",
                at: .offset(start))
        }
    }

    private static func repeated(_ offset: Int) -> ODataError {
        ODataError(
            .invalidPayload, "Expected each property once, found one twice.", at: .offset(offset))
    }

    @inline(__always)
    static func field(_ reader: inout JSONReader) throws -> RowField {
        switch try reader.nextByte() {
        case UInt8(ascii: "\""): return RowField(.string, try reader.stringSpan())
        case UInt8(ascii: "n"):
            try reader.readNull()
            return RowField(.null)
        case UInt8(ascii: "t"), UInt8(ascii: "f"):
            return RowField(try reader.readBoolean() ? .true : .false)
        case UInt8(ascii: "{"): return RowField(.object, try reader.rawSpan())
        case UInt8(ascii: "["): return RowField(.array, try reader.rawSpan())
        default: return RowField(.number, try reader.numberSpan())
        }
    }
}
