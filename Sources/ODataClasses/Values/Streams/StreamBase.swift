import ODataModel

/// The base of byte and character streams: content that is read once, from front to back, by one thread.
open class StreamBase: DataValue, @unchecked Sendable {
    // Confined: one thread at a time reads a stream, as callers promise.

    /// The media type of the content; nil when unknown.
    public final var mediaType: String?
    /// The entity tag of the content; nil when unknown.
    public final var entityTag: String?
    /// The name that the content should have as a file; nil when there is none.
    public final var fileName: String?

    /// Creates a stream without content.
    public override init() { super.init() }

    /// Gives up what the stream holds; closing twice does nothing more.
    ///
    /// - Throws: What its source or target says; a stream without one says nothing.
    open func close() throws {}

    /// Hands over what is still buffered.
    ///
    /// - Throws: What its source or target says; a stream without one says nothing.
    open func flush() throws {}
}
