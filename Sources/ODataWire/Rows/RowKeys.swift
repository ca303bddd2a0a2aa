import ODataText

/// The member names of one object level in the order rows were seen to bring them, each with what it means.
///
/// Services write the members of each row in the same order, so the next name is nearly always the one behind the
/// last and is compared in place. Names are learned on first sight, at most ``maximum`` of them.
final class RowKeys {
    enum Action {
        case slot(Int)
        case complex(slot: Int?, node: Int)
        case control(RowControl)
        case navigation(Int, RowNavigation.Part)
        /// What V2 says about the row in one object.
        case metadata
        /// A member that the shape does not name, with the place of its name; not learned.
        case extra(JSONSpan)
        case skip
    }

    struct Key {
        /// The name as written with quotation marks and colon.
        var text: UnsafeMutablePointer<UInt8>
        var count: Int
        var action: Action
    }

    private(set) var keys: UnsafeMutablePointer<Key>
    private(set) var count = 0
    /// How many there is room for; a reader of each of a thousand sets shall not have room for the most there can be.
    private var capacity = 16
    static let maximum = 512

    init() { keys = .allocate(capacity: capacity) }

    deinit {
        for index in 0..<count { keys[index].text.deallocate() }
        keys.deinitialize(count: count)
        keys.deallocate()
    }

    /// Where a name (as written, without quotation marks) stands, looked for from `start` on and around.
    func find(_ name: UnsafeRawBufferPointer, from start: Int) -> Int? {
        for step in 0..<count {
            let index = start + step < count ? start + step : start + step - count
            let key = keys[index]
            guard key.count == name.count + 3 else { continue }
            let text = UnsafeRawBufferPointer(start: key.text + 1, count: name.count)
            if text.elementsEqual(name) { return index }
        }
        return nil
    }

    /// Adds a name behind all others; nil when there are too many.
    func learn(_ name: UnsafeRawBufferPointer, _ action: Action) -> Int? {
        guard count < Self.maximum else { return nil }
        if count == capacity { grow() }
        let text = UnsafeMutablePointer<UInt8>.allocate(capacity: name.count + 3)
        text[0] = UInt8(ascii: "\"")
        for (index, byte) in name.enumerated() { text[index + 1] = byte }
        text[name.count + 1] = UInt8(ascii: "\"")
        text[name.count + 2] = UInt8(ascii: ":")
        (keys + count).initialize(to: Key(text: text, count: name.count + 3, action: action))
        count += 1
        return count - 1
    }

    private func grow() {
        let larger = UnsafeMutablePointer<Key>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: keys, count: count)
        keys.deallocate()
        (keys, capacity) = (larger, 2 * capacity)
    }
}

extension RowShape {
    /// What a member of a node means, from its unescaped name.
    func action(_ name: String, at span: JSONSpan, node: Int) -> RowKeys.Action {
        if let target = nodes[node].targets[name] {
            return switch target {
            case .slot(let slot): .slot(slot)
            case .complex(let slot, let node): .complex(slot: slot, node: node)
            case .navigation(let index): .navigation(index, .value)
            }
        }
        guard let at = name.firstIndex(of: "@") else {
            if name == "__metadata" { return node == 0 ? .metadata : .skip }
            return keepsUnknown && node == 0 ? .extra(span) : .skip
        }
        let term = name[name.index(after: at)...]
        let control = term.hasPrefix("odata.") ? term.dropFirst(6) : term
        guard node == 0 else { return .skip }
        if at == name.startIndex { return RowControl(name: control).map { .control($0) } ?? .skip }
        guard case .navigation(let index)? = nodes[0].targets[String(name[..<at])] else {
            // The type of a dynamic property is part of its value.
            let isOpen = keepsUnknown && nodes[0].targets[String(name[..<at])] == nil
            return isOpen && control == "type" ? .extra(span) : .skip
        }
        return switch control {
        case "nextLink": .navigation(index, .nextLink)
        case "delta": .navigation(index, .delta)
        default: .skip
        }
    }
}
