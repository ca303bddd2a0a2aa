import ODataModel
import ODataQuery
import ODataText
import Synchronization

/// HTTP header fields, names compared without regard to case (RFC 9110, section 5).
open class HTTPHeaders: ObjectBase, @unchecked Sendable {
    // `stored` is guarded by its own lock.
    private final let stored: Mutex<HeaderFields>

    /// Creates headers without fields.
    public override init() {
        stored = Mutex(HeaderFields())
        super.init()
    }

    package init(_ fields: HeaderFields) {
        stored = Mutex(fields)
        super.init()
    }

    /// New headers without fields.
    public static var empty: HTTPHeaders { HTTPHeaders() }

    /// The argument, or new headers in place of nil.
    public static func emptyIfNull(headers: HTTPHeaders?) -> HTTPHeaders { headers ?? empty }

    /// The fields as a value.
    package final var fields: HeaderFields {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }

    /// Sets a field, replacing all its values.
    open func setHeader(withName name: String, value: String) {
        stored.withLock { $0[name] = value }
    }

    /// The first value of a field; nil when there is none.
    open func header(withName name: String) -> String? { fields[name] }

    /// True when there is a field of this name.
    open func hasHeader(_ name: String) -> Bool { fields[name] != nil }

    /// True when there is a field of this name.
    open func has(_ name: String) -> Bool { hasHeader(name) }

    /// Removes a field; false when there was none.
    @discardableResult
    open func deleteHeader(_ name: String) -> Bool {
        stored.withLock { fields in
            defer { fields[name] = nil }
            return fields[name] != nil
        }
    }

    /// Removes a field; false when there was none.
    @discardableResult
    open func delete(_ name: String) -> Bool { deleteHeader(name) }

    /// Takes over the fields of others, replacing those of the same name.
    open func addAll(other: HTTPHeaders) {
        let fields = other.fields
        stored.withLock { $0.merge(fields) }
    }

    /// Removes all fields.
    open func clear() { fields = HeaderFields() }

    /// Headers with the same fields that share nothing with these.
    open func copy() -> HTTPHeaders { HTTPHeaders(fields) }

    /// Headers that several threads may use: these, which are always safe to share.
    open func concurrent() -> HTTPHeaders { self }

    /// The fields as a map, in order.
    open func entries() -> StringMap {
        StringMap(entries: fields.fields.map { ($0.name, $0.value) })
    }

    /// The fields as a map, in the order of their names.
    open func sortedEntries() -> StringMap {
        StringMap(
            entries: fields.fields.map { ($0.name, $0.value) }.sorted { $0.0 < $1.0 })
    }

    /// The names of the fields.
    open func keys() -> StringList { StringList.fromArray(fields.fields.map(\.name)) }

    /// How many fields there are.
    open var size: Int { fields.fields.count }

    /// True when the other headers have the same fields.
    open func equals(_ other: AnyObject?) -> Bool { fields == (other as? HTTPHeaders)?.fields }

    /// The fields as a JSON object.
    open override func toString() -> String {
        var object = JSONObject()
        for field in fields.fields { object[field.name] = .string(field.value) }
        return JSONValue.object(object).text
    }
}
