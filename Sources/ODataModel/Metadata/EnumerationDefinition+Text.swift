extension EnumerationDefinition {
    /// The lexical form of a value (ABNF `enumValue`): names where members fit, otherwise the number.
    package func text(of value: Int64) -> String {
        if let member = members.first(where: { $0.value == value }) { return member.name }
        guard isFlags, value > 0 else { return String(value) }
        var rest = value
        var names: [String] = []
        // Members of several bits first, so that a combination that has a name is written by it.
        let ordered = members.filter { $0.value > 0 }.enumerated().sorted {
            let (left, right) = ($0.element.value.nonzeroBitCount, $1.element.value.nonzeroBitCount)
            return left == right ? $0.offset < $1.offset : left > right
        }
        for (_, member) in ordered where rest & member.value == member.value {
            names.append(member.name)
            rest &= ~member.value
        }
        return rest == 0 ? names.joined(separator: ",") : String(value)
    }

    /// The value of a lexical form: member names or numbers, joined by commas for flags, spaces around them
    /// passed over; nil when a name is unknown.
    package func value(of text: some StringProtocol) -> Int64? {
        var result: Int64?
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var name = part.drop { $0 == " " }
            while name.last == " " { name.removeLast() }
            guard let value = members.first(where: { $0.name == name })?.value ?? Int64(name),
                result == nil || isFlags
            else { return nil }
            result = (result ?? 0) | value
        }
        return result
    }
}
