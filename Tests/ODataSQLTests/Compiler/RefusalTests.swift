import ErrorFixture
import ODataModel
import ODataSQL
import ODataText
import Testing

/// What the compiler itself refuses, for callers that do not check a query before.
@Suite struct RefusalTests {
    private func compile(_ url: String, _ dialect: SQLDialect = .sqlite) throws {
        let graph = url.hasPrefix("Nodes") ? try Tree.graph() : nil
        _ = try Compiled.plan(url, dialect, in: graph, isChecked: false)
    }

    @Test(arguments: [
        ("Nobody", "Nobody", 404), ("Customers(Code=1)", "Code", 400),
        ("Customers(1)/Nobody", "Nobody", 404), ("Customers?$orderby=Nobody", "Nobody", 400),
        ("Customers?$expand=Nobody", "Nobody", 400), ("Customers?$expand=Name", "Name", 400),
        ("Customers?$filter=isof(Id,Edm.Nope)", "Edm.Nope", 400),
        ("Customers?$filter=Shop.Nope/Level eq 1", "Shop.Nope", 400),
        ("Customers?$filter=$root/Nobody/Id eq 1", "Nobody", 400),
        ("Customers?$filter=sap.nothing()", "sap.nothing", 400),
        ("Orders?$apply=groupby((Nobody))", "Nobody", 400),
    ])
    func unknownNamesAreSaidWithTheirPlace(_ url: String, _ name: String, _ status: Int) {
        #expect(
            failure { try compile(url) } == Failure(.unknownName, at: .path(name), status: status))
    }

    @Test(arguments: [
        ("Customers/Orders", "Expected a key before a navigation property in the resource path."),
        ("Customers/Name", "Expected a key before a property in the resource path."),
        ("Customers/Shop.Order", "Expected a type related to the path's in the resource path."),
        ("Customers('x')", "Expected a number to compare with a number."),
        ("Customers?$filter=Name", "Expected a Boolean expression, found another type."),
        ("Customers?$filter=not Id", "Expected a Boolean expression, found another type."),
        ("Customers?$filter=Name add 1 eq 2", "Expected a number, found another type."),
        ("Customers?$filter=-Name eq 1", "Expected a number, found another type."),
        ("Customers?$filter=round(Name) eq 1", "Expected a number, found another type."),
        ("Customers?$filter=length(Id) eq 1", "Expected a string, found another type."),
        ("Customers?$filter=year(Name) eq 1", "Expected a date, found another type."),
        (
            "Customers?$filter=Name gt 5",
            "Expected a literal of the type it is compared with, found another type."
        ),
        (
            "Customers?$filter=Active eq 1",
            "Expected a literal of the type it is compared with, found another type."
        ),
        ("Customers?$filter=Token eq 'x'", "Expected a literal of Edm.Guid, found a string."),
        (
            "Customers?$filter=Since add 1 eq 2031-05-01",
            "Expected numbers, or a date and a duration."
        ),
        (
            "Customers?$filter=Wait mul Score gt duration'PT1S'",
            "Expected numbers, or a date and a duration."
        ),
        ("Customers?$filter=Name/any()", "Expected a collection before any, all or $count."),
        (
            "Customers?$filter=Orders/Id eq 1",
            "Expected any, all or $count after a collection."
        ),
        (
            "Customers?$filter=Orders eq 1",
            "Expected a single value, found a collection of entities."
        ),
        (
            "Customers?$filter=$root/Labels/Code eq 'x'",
            "Expected any, all or $count after a collection."
        ),
        (
            "Customers?$filter=sap.entityexists(Name)",
            "Expected a to-one navigation in sap.entityexists()."
        ),
        ("Customers?$orderby=Address", "Expected a primitive value in $orderby."),
        (
            "Orders?$apply=aggregate(Loop)",
            "Expected definitions of aggregates that do not go in circles."
        ),
        (
            "Nodes?$apply=descendants($root/Nodes,Q,ID,filter(ID eq 'US'))",
            "Expected a recursive hierarchy of Tree.Node, found Q."
        ),
        (
            "Nodes?$filter=Aggregation.isnode(HierarchyNodes=$root/Nodes,HierarchyQualifier='H')",
            "Expected the parameter Node of Aggregation.isnode()."
        ),
        (
            "Nodes?$filter=Aggregation.isdescendant(HierarchyNodes=$root/Nodes,HierarchyQualifier='H',Node=ID,Ancestor='US',MaxDistance=0)",
            "Expected a distance of 1 or more."
        ),
        (
            "Nodes?$filter=geo.distance(Spot,1) lt 5",
            "Expected a geospatial value, found another type."
        ),
    ])
    func whatMakesNoSenseIsAnInvalidQuery(_ url: String, _ sentence: String) {
        #expect(failure { try compile(url) } == Failure(.invalidQuery, sentence, status: 400))
    }

    @Test(arguments: [
        ("Customers?$filter=cast(Id,Edm.Nope) eq 1", "cast to Edm.Nope"),
        (
            "Orders?$apply=groupby((CustomerId))/expand(Customer,filter(true))",
            "expand behind steps that make new rows"
        ),
        (
            "Orders?$apply=groupby((CustomerId))&$expand=Customer",
            "$expand and $search behind groups"
        ),
        ("Orders?$apply=join(Customer as C)", "join with other than a collection of the rows"),
        ("Orders?$apply=topcount(Id,Amount)", "a count that is no literal"),
        (
            "Orders?$apply=aggregate(Odd)", "the custom aggregate Odd, which has no definition"
        ),
        (
            "Nodes?$apply=descendants($root/Nobody,H,ID,filter(true))",
            "a hierarchy of other nodes than an entity set"
        ),
        ("Nodes?$filter=Color/any(c:c eq 1)", "any, all and $count of a dynamic property"),
    ])
    func whatNoDatabaseIsToldIsNotImplemented(_ url: String, _ found: String) {
        let sentence = "Expected a query that the database can answer, found \(found)."
        #expect(failure { try compile(url) } == Failure(.notImplemented, sentence, status: 501))
    }

    @Test func onlySQLiteReadsOnBehindARow() {
        #expect(
            failure {
                try Compiled.plan("Customers?$top=1", .postgreSQL) {
                    $0.exposesOrder = true
                    $0.rowsBehind = [.integer(1)]
                }
            }
                == Failure(
                    .notImplemented,
                    "Expected a query that the database can answer, found the rows behind a row that was read.",
                    status: 501))
    }
}
