/// What a slot gives to a reader that wants a plain value of one kind.
package enum PlainReading<Value: Sendable>: Sendable {
    case value(Value)
    case null
    /// The slot is unset, of another kind, or needs more work: read it as an ``ODataValue``.
    case general
}
