/// The names of a document by number: each spelling of each expanded name is kept once, so that elements and attributes
/// need four bytes for theirs, and a name that was met before costs no text.
struct XMLNames: Sendable {
    /// The name at 0 is empty: that of no element.
    private(set) var all = [XMLName("")]
    private var isPrefixed = [false]
    private var numbers: [Spelling: Int32] = [:]
    /// The last name for each hash of its bytes. One that comes where another was takes its place, so that whoever chooses the
    /// names cannot make looking them up slow.
    private var recent = [Recent](repeating: Recent(), count: XMLNames.places)

    private static let places = 256

    private struct Spelling: Hashable {
        var localName: String
        var namespace: String
        var prefix: String
    }

    struct Recent {
        fileprivate var count = 0
        fileprivate var scope = 0
        /// Where its bytes are.
        var start = 0
        var number: Int32 = 0
    }

    subscript(number: Int32) -> XMLName { all[Int(number)] }

    /// The name that may be meant: it has the length and the hash, and was read in the same scope.
    func recent(_ written: WrittenName, scope: Int) -> Recent? {
        let known = recent[Self.place(of: written)]
        return known.count == written.count && known.scope == scope ? known : nil
    }

    mutating func remember(_ written: WrittenName, scope: Int, number: Int32) {
        recent[Self.place(of: written)] = Recent(
            count: written.count, scope: scope, start: written.start, number: number)
    }

    private static func place(of written: WrittenName) -> Int {
        Int(truncatingIfNeeded: written.hash) & (places - 1)
    }

    mutating func number(of name: XMLName) -> Int32 {
        let spelling = Spelling(
            localName: name.localName, namespace: name.namespace, prefix: name.prefix)
        if let known = numbers[spelling] { return known }
        let number = Int32(truncatingIfNeeded: all.count)
        all.append(name)
        isPrefixed.append(!spelling.prefix.isEmpty)
        numbers[spelling] = number
        return number
    }

    /// True when both say the same, whatever their prefixes.
    func isSame(_ left: Int32, _ right: Int32) -> Bool {
        if left == right { return true }
        // Another spelling of the same needs another prefix.
        guard isPrefixed[Int(left)] || isPrefixed[Int(right)] else { return false }
        return self[left] == self[right]
    }
}

/// A name where it stands in a document.
struct WrittenName {
    var start: Int
    var end: Int
    /// Where the colon behind the prefix stands.
    var colon: Int?
    /// Of its bytes; only good for looking names up.
    var hash: UInt32

    var count: Int { end - start }
}
