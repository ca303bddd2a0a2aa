import ODataModel
import ODataSQL

/// A column that holds the content of a stream: `MEDIA` for the media stream of the entity, `STREAM` for a stream
/// property. Its value is the number of a stream in chunks (``StreamSchema``), or the bytes themselves.
package struct StreamColumn: Sendable, Hashable {
    /// The stream property; nil for the media stream.
    package var property: String?
    /// The column as an integer that can be assigned.
    package var column: ColumnMapping
    /// A text column beside it with the media type: `ContentType` beside `Content`.
    package var typeColumn: ColumnMapping?

    /// What a declared type makes of a column; nil for every other type.
    package enum Kind: String, Sendable {
        case media = "MEDIA"
        case property = "STREAM"

        package init?(declaredType: String) {
            self.init(rawValue: declaredType.uppercased())
        }
    }
}

/// The streams of the rows of one table.
package struct TableStreams: Sendable, Hashable {
    package var media: StreamColumn?
    package var properties: [StreamColumn] = []

    package var all: [StreamColumn] { (media.map { [$0] } ?? []) + properties }
}
