import ODataText

/// Finds the next link of a page that is in memory without reading its rows, so that the next page can be asked for
/// while this one is stored.
package enum PageTail {
    /// How far from the end (and from the start) a link is looked for.
    package static let window = 16 << 10

    /// The page's next link; nil when there is none or it does not stand in front of or behind the rows.
    ///
    /// It is never the next link of an expanded collection or a part of a value: what follows it must end the page.
    package static func nextLink(in page: UnsafeRawBufferPointer) -> String? {
        for key in ["\"@odata.nextLink\"", "\"@nextLink\"", "\"__next\""] {
            if let link = link(behind: Array(key.utf8), in: page) { return link }
        }
        return linkBeforeRows(page)
    }

    private static func link(behind key: [UInt8], in page: UnsafeRawBufferPointer) -> String? {
        let first = max(1, page.count - window)
        var at = page.count - key.count
        while at >= first {
            let isKey =
                page[at] == key[0] && page[at - 1] != UInt8(ascii: "\\")
                && page[at..<at + key.count].elementsEqual(key)
            if isKey, let link = closingMember(page, from: at) { return link }
            at -= 1
        }
        return nil
    }

    /// The first member's string if the text from `at` on is the rest of the page's object and nothing else.
    private static func closingMember(_ page: UnsafeRawBufferPointer, from at: Int) -> String? {
        let isV2 = page[at...].starts(with: "\"__".utf8)
        let tail = Array((isV2 ? "{\"d\":{" : "{").utf8) + page[at...]
        var reader = JSONReader(tail)
        do {
            try reader.beginObject()
            if isV2 {
                _ = try reader.nextMember()
                try reader.beginObject()
            }
            guard try reader.nextMember() != nil, try reader.peek() == .string else { return nil }
            let link = try reader.readString()
            while try reader.nextMember() != nil { try reader.skipValue() }
            if isV2 { while try reader.nextMember() != nil { try reader.skipValue() } }
            try reader.finish()
            return link
        } catch {
            return nil
        }
    }

    private static func linkBeforeRows(_ page: UnsafeRawBufferPointer) -> String? {
        var reader = JSONReader(UnsafeRawBufferPointer(rebasing: page[..<min(page.count, window)]))
        var control = PageControl()
        do {
            try reader.beginObject()
            while let name = try reader.nextName(), name != "value" {
                try control.read(named: name, &reader)
            }
        } catch {
            return control.nextLink
        }
        return control.nextLink
    }
}
