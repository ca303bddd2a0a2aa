import ODataModel
import ODataText

/// The texts of enumeration values: member names separated by commas, or the number where none fit.
package enum EnumerationText {
    /// `Red`, `Red,Blue`, or `17`.
    package static func text(_ value: Int64, in type: EnumerationDefinition) -> String {
        if let member = type.members.first(where: { $0.value == value }) { return member.name }
        guard type.isFlags, value > 0 else { return String(value) }
        var rest = value
        var names: [String] = []
        let largestFirst = type.members.enumerated().sorted {
            ($1.element.value, $0.offset) < ($0.element.value, $1.offset)
        }
        for (_, member) in largestFirst
        where member.value > 0 && rest & member.value == member.value {
            names.insert(member.name, at: 0)
            rest &= ~member.value
        }
        return rest == 0 ? names.joined(separator: ",") : String(value)
    }

    /// The value of a list of member names or numbers; nil when one is neither.
    package static func value(_ text: String, in type: EnumerationDefinition) -> Int64? {
        var value: Int64 = 0
        let items = text.split(separator: ",", omittingEmptySubsequences: false)
        guard items.count == 1 || type.isFlags else { return nil }
        for item in items {
            let name = HeaderText.trimmed(item)
            if let member = type.members.first(where: { $0.name == name }) {
                value |= member.value
            } else if let number = Int64(name) {
                value |= number
            } else {
                return nil
            }
        }
        return value
    }
}
