import Foundation
import ODataModel

/// Whether a row of the service shows what a request sent, allowing for how services keep values (pure).
///
/// Alike are: numbers of the same value, a Decimal cut or rounded to the scale that the row shows (12.50 and 12.5, 12.345 and
/// 12.35), a Single as the nearest one; instants, times and durations cut or rounded to the digits of the second that the
/// row shows, whatever the offset; texts but for white space at their ends and the kind of line ends, an empty text and
/// null. What the service makes itself, streams and navigation properties are not compared.
package struct ContentComparison: Sendable {
    package let graph: MetadataGraph
    private static let maximumDepth = 64

    package init(graph: MetadataGraph) { self.graph = graph }

    /// How many of the properties that were sent a row shows, and how many it shows differently.
    package struct Score: Sendable, Hashable {
        /// Properties with a value that the row has, too; those that were sent as null are not counted.
        package var shown = 0
        package var different = 0
        /// Of the different ones, texts that are the same but for case, white space and forms of characters.
        package var normalized = 0

        /// Something was sent that can be compared, and the row shows all of it.
        package var isWhole: Bool { different == 0 && shown > 0 }

        /// What is different is the same but for the form that the service keeps texts in.
        package var isKept: Bool { different == normalized }

        /// So much of it is there that the service may have changed the rest by rules that nobody here knows.
        package var isClose: Bool {
            let isFew = shown >= different && different <= max(1, (shown + different) / 4)
            return different > 0 && (isFew || different == normalized)
        }
    }

    /// True when something was sent that can be compared, and the row shows all of it.
    package func shows(_ sent: StructureValue, in found: StructureValue) -> Bool {
        score(of: sent, in: found).isWhole
    }

    /// True when two states of an entity are alike in everything that a request sent.
    package func isSame(
        _ found: StructureValue, as known: StructureValue, in sent: StructureValue
    ) -> Bool {
        graph.comparedSlots(of: sent).allSatisfy { slot in
            alike(
                graph.value(of: slot, of: sent, in: found),
                graph.value(of: slot, of: sent, in: known), depth: 0)
        }
    }

    package func score(of sent: StructureValue, in found: StructureValue) -> Score {
        var score = Score()
        func count(_ value: ODataValue, _ other: ODataValue) {
            if !alike(value, other, depth: 0) {
                score.different += 1
                if isNormalized(value, as: other) { score.normalized += 1 }
            } else if !value.isNull {
                score.shown += 1
            }
        }
        for slot in graph.comparedSlots(of: sent) {
            count(sent.slots[slot] ?? .null, graph.value(of: slot, of: sent, in: found))
        }
        for (name, value) in sent.dynamicValues { count(value, found.dynamicValues[name] ?? .null) }
        return score
    }

    /// Services keep some texts in one form: codes in upper case, names without double spaces.
    private func isNormalized(_ sent: ODataValue, as found: ODataValue) -> Bool {
        guard case .scalar(.string(let left)) = sent, case .scalar(.string(let right)) = found
        else { return false }
        func form(_ text: String) -> String {
            text.precomposedStringWithCompatibilityMapping.lowercased()
                .filter { !$0.isWhitespace }
        }
        return form(left) == form(right)
    }

    private func shows(
        _ slots: [Int], of sent: StructureValue, in found: StructureValue, depth: Int
    ) -> Bool {
        guard depth < Self.maximumDepth else { return false }
        return slots.allSatisfy {
            alike(
                sent.slots[$0] ?? .null, graph.value(of: $0, of: sent, in: found), depth: depth)
        }
            && sent.dynamicValues.allSatisfy { name, value in
                alike(value, found.dynamicValues[name] ?? .null, depth: depth)
            }
    }

    private func alike(_ sent: ODataValue, _ found: ODataValue, depth: Int) -> Bool {
        switch (sent, found) {
        case (.scalar(let left), .scalar(let right)):
            return Self.alike(left, right)
        case (.structure(let left), .structure(let right)):
            return shows(graph.comparedSlots(of: left), of: left, in: right, depth: depth + 1)
        case (.structure(let left), .scalar(.null)):
            // A complex value without any is kept as none.
            return left.slots.allSatisfy { $0 == nil || $0 == .null }
        case (.list(let left), .list(let right)):
            return left.count == right.count
                && zip(left, right).allSatisfy { alike($0, $1, depth: depth + 1) }
        case (.list(let left), .scalar(.null)): return left.isEmpty
        default: return false
        }
    }

    // MARK: Scalars

    package static func alike(_ sent: Scalar, _ found: Scalar) -> Bool {
        if sent == found || ComparableScalar(sent) == ComparableScalar(found) { return true }
        switch (sent, found) {
        case (.string(let left), .string(let right)): return plain(left) == plain(right)
        case (.string(let text), .null), (.null, .string(let text)): return plain(text).isEmpty
        case (.double(let left), .double(let right)): return Float(left) == Float(right)
        case (.decimal(let left), .decimal(let right)):
            return isCut(left, as: right)
        case (.dateTimeOffset(let left), .dateTimeOffset(let right)):
            return isCut(
                (left.seconds, left.picoseconds), as: (right.seconds, right.picoseconds))
        case (.dateTime(let left), .dateTime(let right)):
            return isCut(
                (left.seconds, left.picoseconds), as: (right.seconds, right.picoseconds))
        case (.duration(let left), .duration(let right)):
            return isCut(
                (left.seconds, left.picoseconds), as: (right.seconds, right.picoseconds))
        case (.timeOfDay(let left), .timeOfDay(let right)):
            return isCut(
                (Int64(left.secondOfDay), left.fraction),
                as: (Int64(right.secondOfDay), right.fraction))
        default: return false
        }
    }

    private static func plain(_ text: String) -> String {
        text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// True when `found` is `sent` at fewer digits: the difference is less than one of its last digit.
    private static func isCut(_ sent: DecimalNumber, as found: DecimalNumber) -> Bool {
        let shown = found.withoutTrailingZeros
        guard shown.scale < sent.withoutTrailingZeros.scale else { return false }
        return sent.rounded(toScale: shown.scale, .down) == shown
            || sent.rounded(toScale: shown.scale, .halfUp) == shown
            || sent.rounded(toScale: shown.scale, .halfEven) == shown
    }

    /// The same for seconds and the picoseconds of one.
    private static func isCut(
        _ sent: (seconds: Int64, picoseconds: Int64), as found: (seconds: Int64, picoseconds: Int64)
    ) -> Bool {
        var unit: Int64 = 1
        while unit < second, found.picoseconds % (unit * 10) == 0 { unit *= 10 }
        let (seconds, overflows) = sent.seconds.subtractingReportingOverflow(found.seconds)
        guard !overflows, abs(seconds) <= 1 else { return false }
        let difference = seconds * second + sent.picoseconds - found.picoseconds
        // Cut towards the past, or rounded to the nearest.
        return (0..<unit).contains(difference) || abs(difference) * 2 <= unit
    }

    private static let second: Int64 = 1_000_000_000_000
}
