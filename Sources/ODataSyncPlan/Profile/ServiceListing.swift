import ODataQuery
import ODataText
import ODataWire

/// What the service document says of where entity sets are (Protocol 4.01, section 11.1.1; V2 URI conventions, section 3.1).
///
/// It is asked for where a set of the metadata is not found under its name, and tells a wrong address from a set that is not
/// there.
package struct ServiceListing: Sendable, Hashable {
    /// Relative to the root where that can be told, by name.
    private var places: [String: String] = [:]

    /// The most bytes that a document may have.
    package static let limit = 1 << 20

    /// Reads the JSON of V4 and V2 and the form of Atom; nil for anything else, and for a document without entries.
    package init?(_ answer: ResponseMessage, root: String) {
        guard answer.status == 200 else { return nil }
        let json = try? ServiceDocument(json: answer.body)
        guard let document = json ?? (try? ServiceDocument(xml: answer.body)) else { return nil }
        for entry in document.entries where entry.kind == .entitySet || entry.kind == .singleton {
            // Atom has the name in the title; that of JSON is for people.
            for name in [entry.name] + (json == nil ? [entry.title].compactMap { $0 } : [])
            where places[name] == nil {
                places[name] = Self.place(entry.url, root)
            }
        }
        if places.isEmpty { return nil }
    }

    /// Whether a refusal with this status may say that there is no such resource.
    package static func isAsked(afterRefusal status: Int) -> Bool {
        [400, 404, 410].contains(status)
    }

    /// What explains the refusal of a set; nil where the document lists it where it was asked for.
    ///
    /// - Parameter address: the name by which it is asked for.
    package func remark(onSet name: String, askedAs address: String) -> String? {
        guard let place = places[name] ?? places[address] else {
            return "not in the service document"
        }
        let own = [name, address].flatMap { [$0, PercentCoding.encode($0, for: .path)] }
        return own.contains(place) ? nil : "the service document lists it at \(place)"
    }

    /// As it may be shown.
    private static func place(_ url: String, _ root: String) -> String {
        let absolute = ServiceURL.absolute(
            ServiceLink.followable(url, root: root) ?? url, root: root)
        var place = ServiceURL.shown(ServiceURL.relative(absolute, root: root))
        if place.hasSuffix("/") { place.removeLast() }
        return place
    }
}
