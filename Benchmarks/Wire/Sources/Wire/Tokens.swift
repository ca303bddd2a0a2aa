import ODataText

/// How many values a text has, every token pulled from a source as a download does, none built.
func tokens(of bytes: [UInt8]) throws -> Int {
    var reader = JSONReader(source: ByteParts([bytes]))
    let count = try visit(&reader)
    try reader.finish()
    return count
}

/// Walks an object or array with every member name and value in it.
private func visit(_ reader: inout JSONReader) throws -> Int {
    var count = 1
    let isObject = try reader.peek() == .object
    if isObject { try reader.beginObject() } else { try reader.beginArray() }
    while try isObject ? reader.nextMember() != nil : reader.nextElement() {
        count += 1
        switch try reader.peek() {
        case .object, .array: count += try visit(&reader) - 1
        case .string: _ = try reader.stringSpan()
        case .number: _ = try reader.numberSpan()
        case .boolean: _ = try reader.readBoolean()
        case .null: try reader.readNull()
        }
    }
    return count
}
