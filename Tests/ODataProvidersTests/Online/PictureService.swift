import Foundation
import SAPOData
import ODataModel
import ODataQuery
import ODataText

/// A service with media entities and stream properties, and a provider that speaks to it over HTTP.
enum PictureService {
    static let schema = """
        CREATE TABLE Albums (Id INTEGER PRIMARY KEY, Name TEXT NOT NULL);
        CREATE TABLE Pictures (
            Id INTEGER PRIMARY KEY,
            Title TEXT,
            Content MEDIA,
            Thumb STREAM,
            AlbumId INTEGER REFERENCES Albums(Id)
        );
        INSERT INTO Albums VALUES (1, 'Trip');
        INSERT INTO Pictures (Id, Title, Content, AlbumId) VALUES (1, 'Lake', x'01020304', 1);
        """

    /// Bytes that look like nothing else: so many, made from a number.
    static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
        var generator = SeededGenerator(seed: seed)
        return Data(generator.bytes(count))
    }

    static func run<Result: Sendable>(
        _ body: @escaping @Sendable (OnlineFixture, EntitySet) throws -> Result
    ) async throws -> Result {
        try await OnlineFixture.run(schema: schema) { fixture in
            try fixture.provider.loadMetadata()
            return try body(fixture, fixture.provider.metadata.entitySet(withName: "Pictures"))
        }
    }
}
