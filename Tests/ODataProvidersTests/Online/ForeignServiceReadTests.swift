import Foundation
import ODataQuery
import SAPOData
import Testing

/// What services of others do that the texts allow or forbid, and that costs a client nothing to bear; each was met in a
/// recorded exchange.
@Suite struct ForeignServiceReadTests: EntityMaking {
    /// Some services name a next page behind the last entity within `$top`, for ever.
    @Test func whatWasAskedForIsWholeWhateverLinkFollows() throws {
        let script = ScriptedService { request in
            let start = request.url.contains("skip") ? 3 : 1
            return .json(
                #"{"@odata.context":"$metadata#Items","value":[{"Id":"\#(start)","Name":"a","Tags":[]},"#
                    + #"{"Id":"\#(start + 1)","Name":"b","Tags":[]}],"@odata.nextLink":"Items?$skip=2&$top=3"}"#
            )
        }
        let provider = script.makeProvider(OnlineOptionsTests.model)
        let items = try set(provider, "Items")
        let two = try provider.executeQuery(DataQuery().from(items).top(2)).entityList()
        #expect(two.length == 2)
        #expect(two.nextLink == nil)
        #expect(script.requests.count == 1)
        // What is missing is fetched: one page more, and no further.
        let three = try provider.executeQuery(DataQuery().from(items).top(3)).entityList()
        #expect(three.length == 4)
        #expect(script.requests.count == 3)
        let stream = try provider.entityStream(
            DataQuery().from(items).top(2), headers: .empty, options: .none)
        var read = 0
        while try stream.hasNext() {
            _ = try stream.next()
            read += 1
        }
        #expect(read == 2)
        #expect(script.requests.count == 4)
    }

    /// Nothing of a ping's answer is read, and before metadata nobody knows which family the service is of.
    @Test func aPingIsAnsweredByEitherFamily() throws {
        for header in ["DataServiceVersion", "OData-Version"] {
            let script = ScriptedService { _ in .json("{}", [header: "2.0"]) }
            try script.makeProvider(OnlineOptionsTests.model).pingServer()
            #expect(script.requests.map(\.method) == ["HEAD"])
        }
    }

    /// A set of a type that the document does not define is left out; the others are read.
    @Test func aSetOfAnUndefinedTypeDoesNotKeepTheRest() throws {
        let model = OnlineOptionsTests.model.replacing(
            "</EntitySet>", with: #"</EntitySet><EntitySet Name="Lost" EntityType="N.Lost"/>"#)
        let script = ScriptedService { _ in
            .json(#"{"@odata.context":"$metadata#Items","value":[]}"#)
        }
        let provider = script.makeProvider(model)
        let items = try set(provider, "Items")
        #expect(try provider.executeQuery(DataQuery().from(items)).entityList().length == 0)
        #expect(!provider.metadata.entitySets.has("Lost"))
    }
}
