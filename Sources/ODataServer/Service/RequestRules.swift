import Foundation
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// What a request may say of itself: everything else is refused rather than overlooked.
enum RequestRules {
    /// Header fields that hold for every request, members of batches among them.
    ///
    /// - Throws: 412 for an isolation that is not offered (Protocol 4.01, section 8.2.4), 415 for a body in an encoding
    ///   that is not undone.
    static func checkHead(_ headers: HeaderFields) throws {
        guard headers["OData-Isolation"] == nil, headers["Isolation"] == nil else {
            throw ODataError(
                .preconditionFailed, "Expected no isolation, which the service does not offer.",
                status: 412)
        }
        guard let encoding = headers["Content-Encoding"] else { return }
        let encodings = HeaderText.split(encoding, separator: UInt8(ascii: ","))
        guard
            encodings.allSatisfy({ ["identity", "gzip", "deflate"].contains($0.lowercased()) })
        else {
            throw ODataError(
                ServiceCode.unsupportedMediaType, "Expected a body in gzip, deflate or as it is.",
                status: 415)
        }
    }

    /// - Throws: 415 for a body that does not say to be JSON, or says what is not known of it.
    static func requireJSON(_ request: RequestMessage) throws {
        let text = request.headers["Content-Type"] ?? ""
        if text.isEmpty, request.body.isEmpty { return }
        guard let type = MediaType(parsing: text), type.name == "application/json",
            ResponseFormat.isKnown(json: type, levels: ResponseFormat.sentLevels)
        else {
            throw ODataError(
                ServiceCode.unsupportedMediaType,
                "Expected a body with a Content-Type of application/json and known parameters.",
                status: 415)
        }
    }

    /// - Throws: 400 for a host that is none, or several (RFC 9112, section 3.2).
    static func checkHost(_ headers: HeaderFields) throws {
        let hosts = headers.values("Host")
        guard hosts.count <= 1, hosts.allSatisfy(isAuthority) else {
            throw ODataError(.usage, "Expected one Host with a name or address.", status: 400)
        }
    }

    /// `name`, `name:port`, `[address]` or `[address]:port`.
    private static func isAuthority(_ text: String) -> Bool {
        guard let (name, port) = HostName.split(text) else { return false }
        return !name.isEmpty && port.utf8.allSatisfy { (48...57).contains($0) }
    }

    /// What stands before the first slash, question mark or parenthesis, which may be percent-encoded; nil where the
    /// encoding is broken.
    static func firstName(_ relativeURL: String) -> String? {
        let segment = relativeURL.prefix(beforeByte: {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?")
        })
        let parenthesis = UInt8(ascii: "(")
        guard segment.utf8.contains(UInt8(ascii: "%")) else {
            return String(segment.prefix(beforeByte: { $0 == parenthesis }))
        }
        return segment.removingPercentEncoding.map {
            String($0.prefix(beforeByte: { $0 == parenthesis }))
        }
    }

    /// - Throws: 404 for a URL whose first segment is nothing of the service: another root, as a rule.
    static func checkFirstSegment(_ relativeURL: String, of model: ServiceModel) throws {
        guard let name = firstName(relativeURL), !name.hasPrefix("$"),
            !model.knows(name)
        else { return }
        throw ODataError(
            .unknownName, "Expected an entity set of the service, found another name.",
            at: .path(String(name.prefix(100))), status: 404)
    }

    /// - Throws: 400 for what asks about collections where one entity or value is read.
    static func refuseCollectionOptions(_ query: Query) throws {
        let refused = [
            query.top.map { _ in "$top" }, query.skip.map { _ in "$skip" },
            query.includesCount ? "$count" : nil, query.filter.map { _ in "$filter" },
            query.search.map { _ in "$search" },
            query.orderBy.isEmpty ? nil : "$orderby",
        ].compactMap { $0 }
        guard let name = refused.first else { return }
        throw ODataError(
            .invalidQuery, "Expected a collection for \(name), found a single resource.",
            status: 400)
    }

    /// - Throws: 400 for `$levels=0`: it is a number from 1 on, or `max` (URL Conventions 4.01, section 5.1.3.1.2).
    static func checkLevels(_ items: [ExpandTerm]) throws {
        for item in items {
            guard item.options.levels != 0 else {
                throw ODataError(.invalidQuery, "Expected $levels of 1 or more.", status: 400)
            }
            try checkLevels(item.options.expand)
        }
    }
}

/// The parts of an authority without user information.
enum HostName {
    /// Name (an address of IPv6 in its brackets) and port, the latter empty where none is named; nil for other texts.
    static func split(_ authority: String) -> (name: String, port: String)? {
        let bytes = authority.utf8
        guard bytes.count <= 255 else { return nil }
        if bytes.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let name = authority[...end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":"),
                name.dropFirst().dropLast().utf8.allSatisfy(isAddressByte)
            else { return nil }
            return (name.lowercased(), String(rest.dropFirst()))
        }
        let colon = UInt8(ascii: ":")
        let name = authority.prefix(beforeByte: { $0 == colon })
        let port = authority[name.endIndex...].dropFirst()
        guard name.utf8.allSatisfy(isNameByte), !port.utf8.contains(colon), !bytes.isEmpty else {
            return nil
        }
        let isLower = name.utf8.allSatisfy { !(65...90).contains($0) }
        return (isLower ? String(name) : name.lowercased(), String(port))
    }

    /// True for names and addresses that lead to this machine only.
    static func isLoopback(_ name: String) -> Bool {
        name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]" || name == "::1"
            || name.hasPrefix("127.") && name.utf8.allSatisfy { $0 == 46 || (48...57).contains($0) }
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The methods that a resource takes, carried by the error that refuses another one.
struct AllowedMethods: Error {
    var list: String

    static func error(_ list: String, at location: ODataError.Location? = nil) -> ODataError {
        ODataError(
            ServiceCode.methodNotAllowed, "Expected one of the methods \(list).", at: location,
            status: 405, underlying: AllowedMethods(list: list))
    }
}
