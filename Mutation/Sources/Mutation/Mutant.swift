/// One change of a source text that is made where its switch is on.
struct Mutant: Sendable {
    enum Kind: String, Sendable {
        /// A condition that counts as its opposite.
        case condition
        /// A binding or pattern that never matches.
        case binding
        case bound
        case `operator`
        case removed
        case literal
    }

    /// What stands in the place of a mutated range.
    enum Piece: Sendable {
        case text(String)
        /// The number of the mutant.
        case number
        /// A part of the range as it was, with the mutants that lie inside of it.
        case source(Range<Int>)
    }

    var kind: Kind
    /// The bytes of the source that the pieces replace.
    var range: Range<Int>
    var pieces: [Piece]
    /// Where the statement, condition or member begins that it belongs to. Of those with one owner one is drawn at most, so
    /// that no expression grows by more than one of them.
    var owner: Int
    /// What was there and what stands there, in a line each, for people.
    var before: String
    var after: String
}

/// A mutant that was drawn, and where it is.
public struct DrawnMutant: Sendable, Encodable {
    /// From 1 on, in the order in which they were drawn.
    public var number: Int
    /// Path from the root of the package.
    public var file: String
    /// In the source as it was.
    public var line: Int
    public var kind: String
    public var before: String
    public var after: String
    /// First and last line of the statement around it in the mutated source; nil where it was left out.
    public var span: [Int]?
}
