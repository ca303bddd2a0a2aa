import ODataQuery
import ODataText
import ODataWire

/// A link under which a service tells what has changed of one source.
package struct ChangeLink: Sendable, Hashable {
    /// The key of the source.
    package var source: String
    package var url: String

    package init(source: String, url: String) {
        (self.source, self.url) = (source, url)
    }

    /// The request that is held until there is something (RFC 7240, section 4.3), or so many seconds. Its answer is looked at
    /// and not stored: one row of it is enough.
    package func request(waiting seconds: Int) -> RequestMessage {
        var headers = ReadHeaders(isV2: false).version
        headers["Accept"] = "application/json"
        headers["Prefer"] = "odata.track-changes, odata.maxpagesize=1, wait=\(seconds)"
        return RequestMessage(method: "GET", url: url, headers: headers)
    }
}

/// What the answer to a request says that was to be held.
package enum ChangeNews: Sendable, Hashable {
    /// Something has changed.
    case some
    /// Nothing has changed in all the time that it was held.
    case none
    /// It was not held: by a service that does not know the wish, holds as many as it can, or knows the link no more.
    case unheard

    /// - Parameter body: nil for one that is too long to be empty.
    package init(status: Int, headers: HeaderFields, body: [UInt8]?) {
        guard status == 200 else {
            self = .unheard
            return
        }
        guard let body else {
            self = .some
            return
        }
        guard let answer = try? JSONValue(parsing: body), let rows = answer["value"]?.array else {
            self = .unheard
            return
        }
        let goesOn = answer["@odata.nextLink"] ?? answer["@nextLink"] != nil
        guard rows.isEmpty, !goesOn else {
            self = .some
            return
        }
        var applied = Preferences()
        for value in headers.values("Preference-Applied") {
            applied.waitSeconds = applied.waitSeconds ?? Preferences(parsing: value).waitSeconds
        }
        self = applied.waitSeconds == nil ? .unheard : .none
    }
}

/// Which sources are asked for in a way that is held, after what was answered.
package struct HeldSources: Sendable, Hashable {
    /// So many requests are held at once for one store; the sources behind them are found by the rounds.
    package static let maximum = 8
    /// A source whose wish was not heard is asked again after so many whole rounds at most.
    package static let longestSkip = 32

    private struct Unheard: Sendable, Hashable {
        var skips: Int
        var left: Int
    }

    private var unheard: [String: Unheard] = [:]
    /// The link that had news last: where a round does not come past it, it says nothing new.
    private var told: [String: String] = [:]

    package init() {}

    /// The links to hold on to now.
    ///
    /// - Parameter isWhole: a round of all sources lies behind.
    package mutating func choose(_ links: [ChangeLink], isWhole: Bool) -> [ChangeLink] {
        if isWhole {
            for key in unheard.keys { unheard[key]?.left -= 1 }
        }
        let known = Set(links.map(\.source))
        unheard = unheard.filter { known.contains($0.key) }
        told = told.filter { known.contains($0.key) }
        return Array(
            links.filter { link in
                told[link.source] != link.url && unheard[link.source]?.left ?? 0 <= 0
            }.prefix(Self.maximum))
    }

    package mutating func take(_ news: ChangeNews, of link: ChangeLink) {
        switch news {
        case .some: told[link.source] = link.url
        case .none: unheard[link.source] = nil
        case .unheard:
            let skips = min((unheard[link.source]?.skips ?? 0) * 2, Self.longestSkip)
            unheard[link.source] = Unheard(skips: max(skips, 1), left: max(skips, 1))
        }
    }
}
