import ODataModel
import ODataQuery
import ODataStore
import ODataText
import Testing

/// Hierarchies in the real store: where nodes stand, rows in the order of nodes, and sums along them.
@Suite struct HierarchyTests {
    private static let nodes = "HierarchyNodes=$root/Organizations,HierarchyQualifier='H'"

    @Test(arguments: [
        ("isnode(@,Node=ID)", ["Central", "EMEA", "East", "Sales", "US", "West", "X1", "X2"]),
        ("isroot(@,Node=ID)", ["Sales"]), ("isleaf(@,Node=ID)", ["Central", "East", "West"]),
        ("isdescendant(@,Node=ID,Ancestor='US')", ["East", "West"]),
        ("isdescendant(@,Node=ID,Ancestor='US',IncludeSelf=true)", ["East", "US", "West"]),
        ("isdescendant(@,Node=ID,Ancestor='Sales',MaxDistance=1)", ["EMEA", "US"]),
        ("isancestor(@,Node=ID,Descendant='East')", ["Sales", "US"]),
        ("isancestor(@,Node=ID,Descendant='East',MaxDistance=1)", ["US"]),
        ("issibling(@,Node=ID,Other='US')", ["EMEA"]), ("issibling(@,Node=ID,Other='Sales')", []),
        ("isdescendant(@,Node=ID,Ancestor='X1')", ["X1", "X2"]),
        ("isdescendant(@,Node=SuperID,Ancestor='Sales')", ["Central", "East", "West"]),
        ("isancestor(@,Node='US',Descendant=ID)", ["East", "West"]),
        ("isnode(@,Node='Nobody') or Aggregation.isnode(@,Node=null)", []),
        ("isnode(@,Node=SuperID) eq null", ["Sales"]),
    ])
    func functionsTestWhereANodeStands(call: String, expected: [String]) throws {
        let store = try SalesStore()
        let text = "Aggregation.\(call)".replacing("@", with: Self.nodes)
        #expect(try store.ids("Organizations?$filter=\(text)&$orderby=ID") == expected)
    }

    @Test func functionsLookAtRelatedNodesAndAtPartsOfAHierarchy() throws {
        let store = try SalesStore()
        let below =
            "Sales?$filter=Aggregation.isdescendant(\(Self.nodes),Node=Org/ID,Ancestor='EMEA')"
        #expect(try store.ids(below + "&$orderby=ID") == ["6", "7"])
        let part =
            "HierarchyNodes=$root/Organizations/$filter(ID ne 'Sales'),HierarchyQualifier='H'"
        #expect(
            try store.ids(
                "Organizations?$filter=Org.OData.Aggregation.V1.isroot(\(part),Node=ID)&$orderby=ID"
            )
                == ["EMEA", "US"])
        #expect(
            try store.ids(
                "Organizations?$filter=Subs/any(s:Aggregation.isleaf(\(Self.nodes),Node=s/ID))"
                    + "&$orderby=ID") == ["EMEA", "US"])
        // A node that is deleted is none: those below it are roots.
        let row = try store.fixture.store.row(in: "Organizations", key: [.string("US")])
        try store.fixture.store.perform(.delete(try #require(row)))
        #expect(
            try store.ids(
                "Organizations?$filter=Aggregation.isroot(\(Self.nodes),Node=ID)&$orderby=ID")
                == ["East", "Sales", "West"])
    }

    private static let tree = "$root/Organizations,H,ID"

    @Test(arguments: [
        ("preorder", ["Sales", "EMEA", "Central", "US", "East", "West"]),
        ("postorder", ["Central", "EMEA", "East", "West", "US", "Sales"]),
        ("preorder,Name desc", ["Sales", "US", "East", "West", "EMEA", "Central"]),
        ("postorder,Name desc", ["East", "West", "US", "Central", "EMEA", "Sales"]),
        ("preorder,Rank desc", ["Sales", "EMEA", "Central", "US", "West", "East"]),
    ])
    func nodesComeInTheOrderOfTheTree(order: String, expected: [String]) throws {
        let store = try SalesStore()
        #expect(
            try store.ids("Organizations?$apply=traverse(\(Self.tree),\(order))") == expected)
    }

    @Test func rowsComeInTheOrderOfTheirNodes() throws {
        let store = try SalesStore()
        let traverse = "traverse($root/Organizations,H,Org/ID,preorder)"
        #expect(
            try store.ids("Sales?$apply=orderby(Amount desc)/\(traverse)")
                == ["8", "6", "7", "4", "5", "3", "2", "1"])
        #expect(
            try store.ids("Sales?$apply=filter(Amount gt 1)/\(traverse)/skip(1)/top(2)")
                == ["6", "4"])
        #expect(
            try store.ids(
                "Organizations?$apply=descendants(\(Self.tree),filter(ID eq 'US'),keep start)"
                    + "/ancestors(\(Self.tree),filter(contains(Name,'Ne')),keep start)"
                    + "/traverse(\(Self.tree),preorder)") == ["US", "East"])
        let first = try store.rows("Sales?$apply=\(traverse)/top(1)&$select=ID")
        #expect(first.first?.contains("Org=(ID=EMEA Name=Europe") == true)
        let groups = try store.rows(
            "Sales?$apply=groupby((Org/ID),aggregate($count as N))/\(traverse)/filter(N gt 1)"
                + "&$select=Org/ID,N")
        #expect(
            groups == ["Org=(ID=Central) N=2", "Org=(ID=East) N=2", "Org=(ID=West) N=3"])
    }

    @Test(arguments: [
        (
            "groupby((rolluprecursive($root/Organizations,H,Org/ID)),aggregate(Amount with sum as T))"
                + "&$select=Org/ID,T&$orderby=Org/ID",
            ["Central 3", "EMEA 5", "East 12", "Sales 24", "US 19", "West 7"]
        ),
        (
            "filter(Customer eq 'Sue')/groupby((rolluprecursive($root/Organizations,H,Org/ID,"
                + "descendants($root/Organizations,H,ID,filter(ID eq 'US'),keep start))),"
                + "compute(case(Org eq Aggregation.rollupnode():Amount) as Own)"
                + "/aggregate(Amount with sum as T,Own with sum as U))"
                + "&$select=Org/ID,T,U&$orderby=Org/ID",
            ["East 8 8", "US 10 -", "West 2 2"]
        ),
        (
            "groupby((rolluprecursive($root/Organizations,H,Org/ID),Customer),"
                + "aggregate($count as N))&$select=Org/ID,Customer,N&$orderby=Org/ID,Customer",
            [
                "Joe Central 1", "Sue Central 1", "Joe EMEA 1", "Sue EMEA 2", "Joe East 1",
                "Sue East 1", "Joe Sales 4", "Sue Sales 4", "Joe US 3", "Sue US 2", "Joe West 2",
                "Sue West 1",
            ]
        ),
        (
            "filter(ID lt 4)/groupby((rolluprecursive($root/Organizations,H,OrgID)),"
                + "topcount(1,Amount))&$select=ID,OrgID&$orderby=OrgID",
            ["3 Sales", "3 US", "3 West"]
        ),
        (
            "filter(ID lt 3)/groupby((rolluprecursive($root/Organizations,H,OrgID)),"
                + "filter(OrgID eq Aggregation.rollupnode()/ID)/aggregate($count as N))"
                + "&$select=OrgID,N&$orderby=OrgID",
            ["Central 0", "EMEA 0", "East 0", "Sales 0", "US 0", "West 2"]
        ),
    ])
    func sumsAreMadeAlongTheTree(steps: String, expected: [String]) throws {
        let store = try SalesStore()
        let found = try store.rows("Sales?$apply=\(steps)").map {
            $0.split { "()= ".contains($0) }.map(String.init).filter {
                !["Org", "ID", "T", "U", "N", "Customer", "OrgID"].contains($0)
            }.joined(separator: " ")
        }
        #expect(found == expected)
    }

    @Test func nodesThemselvesAreCounted() throws {
        let store = try SalesStore()
        let found = try store.rows(
            "Organizations?$apply=groupby((rolluprecursive(\(Self.tree))),aggregate($count as N)"
                + "/compute(N sub 1 as Below))/traverse(\(Self.tree),preorder)&$select=ID,Name,Below"
        )
        #expect(
            found == [
                "ID=Sales Name=Corporate Below=5", "ID=EMEA Name=Europe Below=1",
                "ID=Central Name=Middle Below=0", "ID=US Name=States Below=2",
                "ID=East Name=Near Below=0", "ID=West Name=Far Below=0",
            ])
    }

    @Test func hierarchiesStandInGroupsAndBelowExpandedRows() throws {
        let store = try SalesStore()
        let above = try store.rows(
            "Sales?$apply=groupby((Customer),ancestors($root/Organizations,H,OrgID,filter(ID eq 7 or "
                + "ID eq 4),keep start)/aggregate($count as N))&$orderby=Customer")
        // Of Sue's sales those at EMEA stand above one of Central, Joe has no start.
        #expect(above == ["Customer=Joe N=0", "Customer=Sue N=3"])
        let expanded = try store.rows(
            "Organizations?$filter=ID eq 'Sales' or ID eq 'US'&$orderby=ID&$select=ID&$expand="
                + "Subs($apply=traverse(\(Self.tree),postorder);$select=ID)")
        #expect(
            expanded == [
                "ID=Sales Subs=[(ID=EMEA),(ID=US)]", "ID=US Subs=[(ID=East),(ID=West)]",
            ])
        let sums = try store.rows(
            "Organizations?$filter=ID eq 'EMEA' or ID eq 'US'&$orderby=ID&$select=ID&$expand=Sales("
                + "$apply=groupby((rolluprecursive($root/Organizations/$filter(ID eq 'EMEA' or ID eq "
                + "'US'),H,OrgID)),aggregate(Amount with sum as T));$orderby=OrgID)")
        #expect(
            sums == [
                "ID=EMEA Sales=[(OrgID=EMEA T=2),(OrgID=US T=-)]",
                "ID=US Sales=[(OrgID=EMEA T=-),(OrgID=US T=-)]",
            ])
    }

    /// A long chain and a wide level: neither depth nor breadth is bounded by what one statement can nest.
    @Test func treesMayBeDeepAndWide() throws {
        let store = try SalesStore()
        let chain = (1...400).map { number in
            let parent = number == 1 ? "West" : "D\(number - 1)"
            return #"{"ID":"D\#(number)","SuperID":"\#(parent)"}"#
        }
        let wide = (1...1_500).map { #"{"ID":"W\#($0)","SuperID":"East"}"# }
        try store.fixture.download("Organizations", (chain + wide).joined(separator: ","))
        let ids = try store.ids("Organizations?$apply=traverse(\(Self.tree),postorder)")
        #expect(ids.count == 1_906)
        #expect(ids.dropFirst(2).prefix(2) == ["W1", "W10"])
        #expect(ids.suffix(4) == ["D1", "West", "US", "Sales"])
        #expect(
            try store.ids(
                "Organizations?$filter=Aggregation.isancestor(\(Self.nodes),Node=ID,Descendant='D400')"
            ).count == 402)
        let sums = try store.rows(
            "Organizations?$apply=groupby((rolluprecursive(\(Self.tree))),aggregate($count as N))"
                + "/topcount(3,N)&$select=ID,N&$orderby=N desc")
        #expect(sums == ["ID=Sales N=1906", "ID=US N=1903", "ID=East N=1501"])
    }

    @Test func whatNothingTellsIsSaid() throws {
        let store = try SalesStore()
        for (steps, found) in [
            (
                "traverse($root/Organizations,H,Sales/OrgID,preorder)",
                "rows with several nodes each"
            ),
            (
                "aggregate($count as N)/compute(Aggregation.rollupnode()/ID as X)",
                "rollupnode outside of the first steps of rolluprecursive"
            ),
        ] {
            let error = #expect(throws: ODataError.self) {
                _ = try store.rows("Organizations?$apply=\(steps)")
            }
            #expect(error?.code == .notImplemented && error?.status == 501)
            #expect(error?.message.hasSuffix(", found \(found).") == true)
        }
    }
}
