extension ODataError.Location {
    /// The resource that a URL addresses: nothing that says who is asked about, or by whom.
    package static func resource(of url: String) -> ODataError.Location {
        guard let scheme = url.firstRange(of: "://") else { return .path(withoutKeys(url)) }
        let rest = url[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let host = rest[..<end].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return .resource(host: String(host), path: withoutKeys(String(rest[end...])))
    }

    /// A path without key predicates, arguments and query; what stands behind an open parenthesis goes, too.
    package static func withoutKeys(_ path: String) -> String {
        var (kept, depth, isQuoted) = ("", 0, false)
        for character in path.replacing("%27", with: "'") {
            switch character {
            case "'" where depth > 0: isQuoted.toggle()
            case "(" where !isQuoted: depth += 1
            case ")" where depth > 0 && !isQuoted: depth -= 1
            case _ where depth > 0: break
            case "?", "#": return kept
            default: kept.append(character)
            }
        }
        return kept
    }
}

extension ODataError {
    /// True for an error that says what is wrong with a payload, and not what a service answered.
    package var isAboutPayload: Bool {
        switch code {
        case .malformedText, .invalidPayload, .invalidValue, .unknownName, .limitExceeded:
            status == 0
        default: false
        }
    }

    /// The error of reading an answer, at the resource that was asked for: what the payload of a service lacks is nobody's
    /// bad value here. The place within the payload and the entity set go into the sentence.
    ///
    /// - Parameter set: the entity set or query that the answer is about, where one is known.
    package func inAnswer(of url: String, set: String? = nil) -> ODataError {
        guard isAboutPayload else { return during(url) }
        var error = self
        if code == .invalidValue || code == .unknownName { error.code = .invalidPayload }
        var places: [String] = []
        if let set { places.append("entity set \(set)") }
        switch location {
        case .offset, .position: places.append(location?.description ?? "")
        case .path(let path) where path != set:
            places.append(ODataError.Location.withoutKeys(path))
        default: break
        }
        if !places.isEmpty {
            let sentence = message.hasSuffix(".") ? message.dropLast() : message[...]
            error.message = "\(sentence), in the answer for \(places.joined(separator: " at "))."
        }
        error.location = .resource(of: url)
        return error
    }

    /// The error with the place of a request where it has none.
    package func during(_ url: String) -> ODataError {
        guard location == nil else { return self }
        var error = self
        error.location = .resource(of: url)
        return error
    }
}
