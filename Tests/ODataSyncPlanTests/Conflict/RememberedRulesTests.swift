import ODataModel
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

/// What a store keeps of an app's rules, and what counts of it later.
@Suite struct RememberedRulesTests {
    private let set = "Orders"
    private let graph: MetadataGraph

    init() throws {
        let metadata = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int64" Nullable="false"/></EntityType>
              <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="S.Order"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        graph = try CSDLReader.read(Array(metadata.utf8))
    }

    @Test func aTextHoldsEachRuleThatIsNoFunction() throws {
        var rules = WriteRules()
        rules.conflicts = [set: .clientWins, "B": .serverWins, "C": .report]
        rules.conflicts["D"] = .resolver { _ in .leave }
        rules.probes = ["B": "Name"]
        rules.compared = ["E"]
        let remembered = RememberedRules(rules)
        #expect(remembered.conflicts == [set: "clientWins", "B": "serverWins", "D": "resolver"])
        let text = try #require(remembered.text)
        #expect(RememberedRules(text: text) == remembered)
        #expect(RememberedRules(WriteRules()).text == nil)
        for text in ["", "[]", "{\"A\":1}"] { #expect(RememberedRules(text: text) == nil) }
    }

    @Test func whatIsSaidForOneUploadGoesBeforeAndVanishedNamesDoNotCount() {
        var rules = WriteRules()
        rules.conflicts = [set: .serverWins, "Gone": .clientWins]
        rules.probes = [set: "Gone"]
        rules.compared = [set, "Gone"]
        let remembered = RememberedRules(rules)
        let known = remembered.rules(under: WriteRules(), in: graph)
        #expect(known.rules.conflicts.mapValues(\.name) == [set: "serverWins"])
        #expect(known.rules.probes.isEmpty && known.rules.compared == [set])
        var given = WriteRules()
        given.conflicts = [set: .clientWins]
        let both = remembered.rules(under: given, in: graph)
        #expect(both.rules.conflicts.mapValues(\.name) == [set: "clientWins"])
    }

    @Test func aFunctionIsNamedUnlessSomethingElseIsSaid() {
        var rules = WriteRules()
        rules.conflicts[set] = .resolver { _ in .takeServer }
        let remembered = RememberedRules(rules)
        let known = remembered.rules(under: WriteRules(), in: graph)
        #expect(known.undecided == [set] && known.rules.conflicts.isEmpty)
        var given = WriteRules()
        given.conflicts = [set: .clientWins]
        #expect(remembered.rules(under: given, in: graph).undecided.isEmpty)
    }
}
