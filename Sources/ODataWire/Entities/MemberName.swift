/// What a member of a JSON object is, by its name (JSON Format 4.01, sections 4.6 and 20).
///
/// Control information is read with and without its `odata.` prefix, whatever version a header states.
package enum MemberName: Sendable, Hashable {
    case property(String)
    /// Control information of the object, such as `etag`, without `@` and prefix.
    case control(String)
    /// An annotation of the object, by its qualified term.
    case annotation(String)
    /// Control information of a property.
    case propertyControl(property: String, String)
    case propertyAnnotation(property: String, String)
    /// An advertised action or function.
    case operation

    package init(_ name: String) {
        guard !name.hasPrefix("#") else {
            self = .operation
            return
        }
        guard let at = name.utf8.firstIndex(of: UInt8(ascii: "@")) else {
            self = .property(name)
            return
        }
        let property = String(name[..<at])
        var term = name[name.utf8.index(after: at)...]
        if term.hasPrefix(Self.prefix) { term = term.dropFirst(Self.prefix.count) }
        let isControl = !term.utf8.contains(UInt8(ascii: "."))
        self =
            switch (property.isEmpty, isControl) {
            case (true, true): .control(String(term))
            case (true, false): .annotation(String(term))
            case (false, true): .propertyControl(property: property, String(term))
            case (false, false): .propertyAnnotation(property: property, String(term))
            }
    }

    private static let prefix = "odata."
}
