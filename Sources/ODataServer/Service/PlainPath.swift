import ODataModel
import ODataQuery
import ODataSQL

/// URLs that are nothing but an entity set, or one and a key that is a number: `Orders`, `Orders(7)`.
///
/// Most requests have one. Read and checked in the general way it took as long as to read the row.
enum PlainPath {
    // Hot: ServerFigures
    /// What the general way makes of such a URL; nil for every other one, and for what is wrong.
    static func query(_ url: String, _ model: ServiceModel) -> Query? {
        var url = url
        guard let (name, key) = url.withUTF8(parts), !name.isEmpty,
            let table = model.mapping.table(path: name), table.parent == nil,
            model.operations.isEmpty, model.handlers.isEmpty,
            let set = model.graph.entitySet(named: name), !model.graph[set].isSingleton
        else { return nil }
        guard let key else { return Query(entitySet: name) }
        guard table.keyColumns.count == 1,
            fits(key, table.columns[table.keyColumns[0]].type)
        else { return nil }
        let value = KeyValue(name: nil, value: .literal(.integer(key), nil))
        return Query(path: ResourcePath([.entitySet(name), .key([value])]))
    }

    /// The name, and the number in parentheses behind it.
    private static func parts(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (name: String, key: Int64?)? {
        let end = bytes.firstIndex { !isNameByte($0) } ?? bytes.endIndex
        let name = String(decoding: bytes[..<end], as: UTF8.self)
        guard end < bytes.endIndex else { return (name, nil) }
        let digits = bytes[end...].dropFirst().dropLast()
        guard bytes[end] == UInt8(ascii: "("), bytes.last == UInt8(ascii: ")"),
            (1...maximumDigits).contains(digits.count),
            digits.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return (name, digits.reduce(0) { $0 * 10 + Int64($1 - 48) })
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Other types say of a number what is wrong with it.
    private static func fits(_ number: Int64, _ type: TypeReference) -> Bool {
        guard type.enumeration == nil else { return false }
        return switch type.primitive {
        case .int64: true
        case .int32: number <= Int32.max
        default: false
        }
    }

    /// As many as no number has that is too long for 64 bits.
    private static let maximumDigits = 18
}
