import Foundation
import SAPOData
import ODataModel
import ODataQuery

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
        var state = seed
        var data = Data(count: count)
        for index in data.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            data[index] = UInt8(truncatingIfNeeded: state >> 33)
        }
        return data
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
