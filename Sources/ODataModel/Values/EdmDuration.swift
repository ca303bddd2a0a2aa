/// A signed length of time in days, hours, minutes and seconds (`Edm.Duration`), exact to the picosecond.
package struct EdmDuration: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Whole seconds, rounded down.
    package let seconds: Int64
    /// 0 ..< 10^12, added to ``seconds``.
    package let picoseconds: Int64

    package init(seconds: Int64, picoseconds: Int64 = 0) {
        self.seconds = seconds
        self.picoseconds = picoseconds
    }
    /// Nil when `text` is not `[-]P[nD][T[nH][nM][n[.n]S]]`.
    package init?(_ text: some StringProtocol) { return nil }
    /// Bytes whose order is the order of lengths, equal for equal lengths.
    package var orderKey: [UInt8] { [] }
    /// Total seconds as an exact decimal.
    package var decimalSeconds: DecimalNumber { .zero }
    package var description: String { "" }
    package static func < (left: EdmDuration, right: EdmDuration) -> Bool { false }
}
