import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import PostgreSQLFixture
import Testing

/// PostgreSQL gives the answers of SQLite, from the same query over the same rows.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct SameAnswerTests {
    private func expectSame(_ urls: [String], in shop: ShopPair) {
        for url in urls {
            do {
                let expected = try shop.answer(url, .sqlite)
                let found = try shop.answer(url, .postgreSQL)
                let isOrdered = url.contains("&$orderby") && !url.contains("$apply")
                if let difference = found.difference(from: expected, isOrdered: isOrdered) {
                    Issue.record("\(url): PostgreSQL and SQLite say \(difference)")
                }
            } catch { Issue.record("\(url): \(error)") }
        }
    }

    private func filters(_ conditions: [String]) -> [String] {
        conditions.map { "Customers?$filter=\($0)&$orderby=Id&$count=true" }
    }

    @Test func comparisonsOfEveryType() throws {
        var conditions: [String] = []
        let literals = [
            "Name": ["'anna'", "'Anna'", "'\u{E9}'", "null"],
            "Balance": ["12.5", "12.505", "-0.05", "1e30", "null", "12", "INF"],
            "Exact": ["12.5", "12.500", "123456789012345678901234567890.5", "0", "null", "-1"],
            "Score": ["1.5", "0", "INF", "-INF", "NaN", "null", "-0.25"],
            "Since": ["2020-02-29", "1969-12-31", "null"],
            "Changed": [
                "2025-12-31T22:30:00.123Z", "2026-01-01T00:30:00.123%2B02:00",
                "9999-12-31T23:59:59.999999999999Z", "null",
            ],
            "Wakes": ["06:30:00", "12:00:00.000000000001", "null"],
            "Wait": ["duration'PT36H'", "duration'P1DT12H'", "duration'-PT0.5S'", "null"],
            "Token": ["0AA00000-0000-0000-0000-0000000000ff", "null"],
            "Active": ["true", "false", "null"],
            "Grade": ["Shop.Grade'Gold'", "Shop.Grade'Bronze,Gold'", "null"],
            "Photo": ["binary'AAH_'", "null"],
            "Id": ["3", "3.5", "1e10", "-1"],
        ]
        for (name, values) in literals {
            for value in values {
                for sign in ["eq", "ne", "lt", "le", "gt", "ge"] {
                    if ["Photo", "Grade", "Active"].contains(name), !["eq", "ne"].contains(sign) {
                        continue
                    }
                    conditions.append("\(name) \(sign) \(value)")
                    conditions.append("not(\(name) \(sign) \(value))")
                }
                if value != "null" { conditions.append("\(name) in (\(value),null)") }
            }
        }
        try expectSame(filters(conditions), in: .filled())
    }

    @Test func columnsComparedWithEachOther() throws {
        try expectSame(
            filters([
                "Balance eq Exact", "Balance lt Score", "Score ge Exact", "Exact gt Id",
                "Score eq Score", "Name lt Address/city", "Id lt Balance", "Active eq (Id gt 2)",
                "(Id gt 2) eq (Balance gt 0)",
                "Active", "not Active", "Active or Id eq 4", "Active and null",
                "Grade has Shop.Grade'Gold'", "Grade has Shop.Grade'Silver'",
                "null eq null", "null ne null", "true", "false", "Score lt NaN", "Address eq null",
                "Address/Place/Latitude lt 1", "Name in ('anna','Anna',null)",
                "Active in (true,false)",
                "Score in (1.5,INF)", "Exact in (12.5,0)", "Token ne null",
                "Wait lt duration'PT2H'",
                "startswith(Name,'') eq true",
            ]), in: .filled())
    }

    @Test func functionsOnTexts() throws {
        try expectSame(
            filters([
                "contains(Name,'nn')", "contains(Name,'')", "contains('\u{E9}','e\u{301}')",
                "startswith(Name,'\u{1F600}')",
                "startswith(Name,Address/City)", "endswith(Name,'a')", "endswith(Name,'')",
                "endswith(Name,Name)", "endswith(Name,toupper('A'))", "indexof(Name,'n') eq 1",
                "length(Name) gt 4", "tolower(Name) eq 'anna'",
                "toupper(Name) eq 'ANNA'", "contains(toupper(Name),'STRASSE')",
                "contains(tolower(Name),'\u{3C3}\u{3B1}\u{3C3}')", "trim(Name) eq 'tab'",
                "concat(Name,'!') eq 'anna!'",
                "concat(concat(Name,' '),Address/City) eq 'Zo\u{EB} Ulm'",
                "matchesPattern(Name,'^[A-Za-z]%2B$')",
                "matchesPattern(Name,'n{2}|.{5,}(o|\u{DF})')",
                "matchesPattern(Name,'\\\\\\.')", "matchesPattern(Name,'^.?$')",
                "substring(Name,1) eq 'nna'", "substring(Name,-2) eq 'na'",
                "substring(Name,9) eq ''",
                "substring(Name,1,2) eq 'nn'", "substring(Name,1,-1) eq ''",
                "substring(Name,Id) ne ''", "substring(Name,Id sub 4,Id) ne ''",
                "replace(Name,'n','') eq 'aa'", "tolower(null) eq null",
                "Name gt 'Z'", "toupper(Name) gt 'ANNA'",
            ]) + [
                "Customers?$orderby=Name", "Customers?$orderby=Name desc",
                "Customers?$orderby=tolower(Name),Id desc",
                "Customers?$orderby=cast(Id,Edm.String)",
                "Customers?$orderby=concat(cast(Active,Edm.String),Name)&$top=4",
                "Customers?$compute=toupper(Name) as U,tolower(Name) as L,trim(Name) as T,"
                    + "substring(Name,-3,2) as S&$orderby=Id",
            ], in: .filled())
    }

    @Test func arithmetic() throws {
        let values = [
            "Balance add Exact", "Balance sub 1", "Balance mul Exact", "Balance div 3",
            "Exact div 7", "Exact divby Id", "Id div 4", "Id mod 4", "Id div (Id sub 3)",
            "Id mod (Id sub 3)", "Id divby 4", "Exact mod 5", "Balance mod 3", "-Balance", "-Exact",
            "-Id", "-Score", "Score add 1", "Score mul 1e308", "Score mul Score", "Score div 0",
            "Score div (Id sub 3)", "Score mod 0.1", "Score sub Balance", "Score add INF",
            "round(Balance)", "floor(Balance)", "ceiling(Balance)", "round(Exact)", "floor(Exact)",
            "ceiling(Exact)", "round(Score)", "floor(Score)", "ceiling(Score)", "round(-0.5)",
            "Id mul 9223372036854775807", "Exact mul Exact", "Balance div 0",
            "cast(Balance,Edm.Int32)", "cast(Exact,Edm.Int64)", "cast(Score,Edm.Decimal)",
            "cast(Score,Edm.Byte)", "cast(Balance,Edm.Double)", "cast(Exact,Edm.Double)",
            "cast(Id,Edm.Decimal)", "cast(Score,Edm.Single)", "cast(Id,Edm.String)",
            "cast(Balance,Edm.String)", "cast(Score,Edm.String)", "cast(Active,Edm.String)",
            "cast(Since,Edm.String)", "cast(Changed,Edm.String)", "cast(Wait,Edm.String)",
            "cast(Token,Edm.String)", "cast('12',Edm.Int32)", "cast('1.5e3',Edm.Double)",
            "cast(Name,Edm.Decimal)", "cast('2020-02-30',Edm.Date)", "cast('2020-02-29',Edm.Date)",
            "cast('PT1M',Edm.Duration)", "cast('true',Edm.Boolean)",
            "cast('2020-01-01T00:00:00+01:00',Edm.DateTimeOffset)", "cast('25:00',Edm.TimeOfDay)",
            "cast('06:30',Edm.TimeOfDay)", "case(Id gt 3:'a',true:'b')",
            "cast(Score mul 1e-5,Edm.String)", "cast(Score mul 1e17,Edm.String)",
            "cast(Score mul 123456789,Edm.String)",
        ]
        try expectSame(
            values.map { "Customers?$compute=\($0.replacing("+", with: "%2B")) as V&$orderby=Id" }
                + values.prefix(40).map {
                    "Customers?$filter=(\($0)) gt 1&$orderby=Id"
                }
                + values.prefix(40).map { "Customers?$orderby=\($0) desc,Id&$top=5&$skip=1" },
            in: .filled())
    }

    @Test func datesAndDurations() throws {
        let values = [
            "year(Since)", "month(Since)", "day(Since)", "year(Changed)", "month(Changed)",
            "day(Changed)", "hour(Changed)", "minute(Changed)", "second(Changed)",
            "fractionalseconds(Changed)", "fractionalseconds(Wakes)", "hour(Wakes)",
            "second(Wakes)",
            "date(Changed)", "time(Changed)", "totaloffsetminutes(Changed)", "totalseconds(Wait)",
            "Since add duration'P1D'", "Since sub duration'P1DT1S'", "Since sub 2020-01-01",
            "Changed add Wait", "Changed sub Wait", "Changed sub 2026-01-01T00:00:00Z",
            "Wait add Wait", "Wait sub duration'PT1.5S'", "Wait mul 3", "Wait div 7", "2 mul Wait",
            "-Wait", "Wait mul 0.5", "Wait div 0", "now() sub Changed", "maxdatetime()",
            "mindatetime()", "now()",
        ]
        try expectSame(
            values.map { "Customers?$compute=\($0) as V&$orderby=Id" }
                + values.prefix(31).map { "Customers?$orderby=\($0) desc,Id" }
                + filters([
                    "year(Changed) eq 2026", "date(Changed) gt 2000-01-01",
                    "time(Changed) lt 12:00:00", "Wait gt duration'PT1H'",
                    "Changed add duration'PT1H' gt 2026-01-01T00:00:00Z", "Changed lt now()",
                    "fractionalseconds(Changed) gt 0.1", "totalseconds(Wait) le 3600.5",
                ]), in: .filled())
    }

    @Test func relatedRowsLambdasAndCollections() throws {
        try expectSame(
            filters([
                "Orders/any()", "Orders/any(o:o/Amount gt 10)", "Orders/all(o:o/Amount gt 10)",
                "Orders/any(o:o/Items/any(i:i/Quantity gt 5))", "Orders/$count gt 1",
                "Orders/$count($filter=Amount lt 5) eq 1", "Tags/any(t:t eq 'a')",
                "Tags/all(t:t ne 'a')", "Tags/any()", "Tags/$count eq 2",
                "not Tags/any(t:contains(t,'\u{E4}'))",
                "Tags/any(t:startswith(t,Name))", "isof(Shop.Vip)", "Shop.Vip/Level eq 3",
                "length(Tags) gt 1", "Orders/any(o:o/Labels/any(l:l/Code eq 'red'))",
                "Address/Nearest/Name eq null", "sap.islocal()", "sap.haspendingchanges()",
                "Orders/any(o:o/Customer/Name eq 'anna')",
            ]) + [
                "Orders?$filter=Customer/Name gt 'A'&$orderby=Customer/Name,Id",
                "Orders?$filter=Customer/Orders/$count gt 1&$orderby=Customer/Score desc",
                "Labels?$filter=Orders/any(o:o/Amount gt 50)&$orderby=Code",
                "Customers(1)/Orders?$orderby=Id", "Orders(3)/Customer",
                "Orders(3)/Items?$orderby=Line",
                "Customers(2)", "Customers(99)", "Customers/$count",
                "Customers/Shop.Vip?$orderby=Id",
                "Orders(1)/Labels?$count=true&$orderby=Code", "Customers(1)/Name",
                "Orders/$count?$filter=Amount gt 1",
            ], in: .filled())
    }

    @Test func expandedRowsAndPages() throws {
        try expectSame(
            [
                "Customers?$expand=Orders&$orderby=Id",
                "Customers?$expand=Orders($orderby=Amount desc;$top=1;$skip=1;$count=true)&$orderby=Id",
                "Customers?$expand=Orders($filter=Amount gt 1;$expand=Items($orderby=Quantity desc),Labels;$select=Id)"
                    + "&$orderby=Name desc&$top=3",
                "Orders?$expand=Customer($expand=Orders($top=1)),Labels($count=true),Items($filter=Quantity ne null)"
                    + "&$orderby=Id",
                "Orders?$expand=Labels/$count&$orderby=Id", "Orders?$expand=Items/$ref&$orderby=Id",
                "Customers?$expand=Orders($apply=groupby((Placed),aggregate(Amount with sum as S)))&$orderby=Id",
                "Customers?$expand=Orders($apply=aggregate(Amount with max as M,$count as N))&$orderby=Id",
                "Customers?$expand=Orders($compute=Amount mul 2 as D;$filter=D gt 3;$orderby=D)&$orderby=Id",
                "Customers?$top=2&$orderby=Score", "Customers?$skip=2&$orderby=Score desc",
                "Customers?$top=0&$count=true&$orderby=Id", "Customers?$skip=4&$orderby=Wait",
                "Customers?$orderby=Changed desc", "Customers?$orderby=Balance,Exact desc",
                "Customers?$orderby=Active,Grade desc,Token", "Customers?$orderby=Address/city",
                "Customers?$orderby=Tags/$count desc,Id",
                "Customers?$select=Name,Address/City&$orderby=Id",
            ], in: .filled())
    }

    @Test func aggregatesAndGroups() throws {
        let applies = [
            "aggregate($count as N)",
            "aggregate(Balance with sum as S,Balance with average as A,Balance with min as L,Balance with max as H)",
            "aggregate(Exact with sum as S,Exact with average as A,Exact with min as L,Exact with max as H)",
            "aggregate(Score with sum as S,Score with min as L,Score with max as H)",
            "filter(Score lt 10 and Score gt -10)/aggregate(Score with average as A)",
            "aggregate(Id with sum as S,Id with average as A,Name with min as L,Name with max as H)",
            "aggregate(Wait with sum as S,Wait with average as A,Wait with max as H)",
            "aggregate(Changed with min as L,Since with max as H,Grade with countdistinct as D)",
            "aggregate(Exact with countdistinct as D,Score with countdistinct as C,Active with countdistinct as B)",
            "groupby((Active),aggregate($count as N,Balance with sum as S))",
            "groupby((Active,Grade))", "groupby((Wait),aggregate($count as N))",
            "groupby((Exact),aggregate($count as N))", "groupby((Score),aggregate($count as N))",
            "groupby((Changed),aggregate(Id with max as M))", "groupby((Wakes,Since))",
            "groupby((Address/City),aggregate($count as N))/filter(N gt 0)",
            "compute(year(Since) as Y)/groupby((Y),aggregate($count as N))",
            "compute(Balance mul 2 as D,toupper(Name) as U)/groupby((D,U),aggregate(Id with sum as S))",
            "groupby((rollup(Active,Grade)),aggregate(Balance with sum as S))",
            "groupby((rollup($all,Active)),aggregate($count as N,Balance with average as A))",
            "concat(aggregate(Balance with sum as S),groupby((Active),aggregate($count as N)),topcount(1,Balance)/aggregate(Id with sum as I))",
            "concat(aggregate($count as N),aggregate(Wait with max as W),aggregate(Changed with max as C),groupby((Changed)))",
            "topcount(2,Balance)", "bottomcount(2,Exact)", "toppercent(50,Balance)",
            "topsum(10,Balance)",
            "bottomsum(5,Exact)", "orderby(Id)/skip(1)/top(3)",
            "filter(Active)/groupby((Grade))/orderby(Grade)/top(1)",
            "groupby((Active),topcount(1,Balance))",
            "groupby((Active),orderby(Id desc)/top(1)/aggregate(Balance with sum as S))",
            "compute($these/aggregate(Balance with max) as M)/filter(Balance lt M)",
            "filter(Balance gt 0)/compute(Balance divby $these/aggregate(Balance with sum) as P)",
            "groupby((Active),aggregate(Balance with sum as S))/orderby(S)/top(2)",
            "groupby((Active),aggregate(Balance with average as A))/compute(A mul 2 as T)/filter(T gt 1)",
            "nest(filter(Active) as On,aggregate($count as N) as Counted)",
            "groupby((Address/City,Address/city),aggregate($count as N,Id with max as n))",
            "compute(Id as V,Name as v)/groupby((V,v))/filter(V gt 1 and v ne null)",
            "groupby((Active),nest(filter(Id gt 1) as Late))",
        ]
        let long = String(repeating: "Umsatz", count: 16)
        let names =
            "aggregate(Id with sum as \(long)1,Id with max as \(long)2)/filter(\(long)1 gt 1)"
        let orders = [
            "groupby((Customer/Name),aggregate(Amount with sum as S,$count as N))",
            "aggregate(Items/Quantity with sum as Q)",
            "groupby((Id),aggregate(Items/Quantity with sum as Q,Amount with max as M))",
            "aggregate(Amount with sum from CustomerId with average as S)",
            "aggregate(Amount with average from Customer/Name with max as S,$count as N)",
            "join(Items as I)/groupby((I/Product),aggregate(I/Quantity with sum as Q))",
            "outerjoin(Items as I,filter(Quantity gt 5))/aggregate($count as N)",
            "groupby((Customer/Name),aggregate(Turnover))",
            "groupby((Customer/Name),aggregate(Mean))",
            "compute(date(Placed) as P)/groupby((P))",
            "compute(month(Placed) as M)/groupby((M),aggregate(Amount with sum as S))",
            "addnested(Items,filter(Quantity gt 2) as Many)",
            "groupby((CustomerId),aggregate(Placed with max as P))",
            "expand(Items,filter(Quantity gt 2))",
        ]
        try expectSame(
            (applies + [names]).map { "Customers?$apply=\($0)" }
                + orders.map { "Orders?$apply=\($0)" },
            in: .filled())
    }
}
