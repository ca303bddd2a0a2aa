#if PostgreSQL
    import ErrorFixture
    import ODataQuery
    import ODataSQL
    import ODataText
    import PostgreSQLFixture
    import Testing

    /// Hierarchies, rows from elsewhere, tests of types and nested results: PostgreSQL gives what the store gives, or says
    /// before any statement that it cannot.
    @Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
    struct PostgreSQLSalesTests {
        private static let tree = "$root/Organizations,H,ID"
        private static let nodes = "HierarchyNodes=$root/Organizations,HierarchyQualifier='H'"

        private func expectSame(_ urls: [String]) throws {
            let sales = try SalesStore()
            let twin = try PostgreSQLTwin(of: sales.fixture.store)
            for url in urls {
                do {
                    let query = try sales.query(url)
                    let expected = try twin.answer(twin.plan(query, .sqlite), .sqlite)
                    let plan = try twin.plan(query, .postgreSQL)
                    let found = try twin.answer(plan, .postgreSQL)
                    let isOrdered = !query.orderBy.isEmpty && !plan.isDerived
                    if let difference = found.difference(from: expected, isOrdered: isOrdered) {
                        Issue.record("\(url): PostgreSQL and SQLite say \(difference)")
                    }
                } catch { Issue.record("\(url): \(error)") }
            }
        }

        @Test func placesInAHierarchy() throws {
            let calls: [String] = [
                "isnode(@,Node=ID)", "isroot(@,Node=ID)", "isleaf(@,Node=ID)",
                "isdescendant(@,Node=ID,Ancestor='US')",
                "isdescendant(@,Node=ID,Ancestor='US',IncludeSelf=true)",
                "isdescendant(@,Node=ID,Ancestor='Sales',MaxDistance=1)",
                "isancestor(@,Node=ID,Descendant='East')", "issibling(@,Node=ID,Other='US')",
                "isdescendant(@,Node=ID,Ancestor='X1')",
                "isancestor(@,Node='US',Descendant=ID)",
                "isnode(@,Node='Nobody') or Aggregation.isnode(@,Node=null)",
                "isnode(@,Node=SuperID) eq null",
            ]
            let tests = calls.map { call -> String in
                "Aggregation.\(call)".replacing("@", with: Self.nodes)
            }
            let part =
                "HierarchyNodes=$root/Organizations/$filter(ID ne 'Sales'),HierarchyQualifier='H'"
            let others: [String] = [
                """
                Sales?$filter=Aggregation.isdescendant(\(Self.nodes),Node=Org/ID,\
                Ancestor='EMEA')&$orderby=ID
                """,
                "Organizations?$filter=Aggregation.isroot(\(part),Node=ID)&$orderby=ID",
                """
                Organizations?$filter=Subs/any(s:Aggregation.isleaf(\(Self.nodes),Node=s/ID))\
                &$orderby=ID
                """,
            ]
            try expectSame(tests.asked(of: "Organizations") + others)
        }

        @Test func rowsAboveAndBelowOthers() throws {
            let start = "filter(ID eq 7 or ID eq 4)"
            let steps: [String] = [
                "descendants(\(Self.tree),filter(ID eq 'US'))",
                "descendants(\(Self.tree),filter(ID eq 'Sales'),1,keep start)",
                "ancestors(\(Self.tree),filter(contains(Name,'Ne')),keep start)",
                "ancestors(\(Self.tree),filter(ID eq 'X1'))/aggregate($count as N)",
            ]
            let others: [String] = [
                """
                Sales?$apply=groupby((Customer),ancestors($root/Organizations,H,OrgID,\
                \(start),keep start)/aggregate($count as N))
                """,
                """
                Organizations?$orderby=ID&$expand=Subs($apply=descendants(\(Self.tree),\
                filter(Rank gt 1),keep start))
                """,
            ]
            try expectSame(steps.applied(to: "Organizations") + others)
        }

        @Test func sumsAlongAHierarchy() throws {
            let steps: [String] = [
                """
                groupby((rolluprecursive($root/Organizations,H,Org/ID)),\
                aggregate(Amount with sum as T))
                """,
                """
                groupby((rolluprecursive($root/Organizations,H,Org/ID)),\
                aggregate(Amount with sum as T))/filter(T gt 5)
                """,
                """
                filter(Customer eq 'Sue')/groupby((rolluprecursive($root/Organizations,H,\
                Org/ID,descendants(\(Self.tree),filter(ID eq 'US'),keep start))),\
                compute(case(Org eq Aggregation.rollupnode():Amount) as Own)\
                /aggregate(Amount with sum as T,Own with sum as U))
                """,
                """
                groupby((rolluprecursive($root/Organizations,H,Org/ID),Customer),\
                aggregate($count as N))
                """,
                """
                filter(ID lt 4)/groupby((rolluprecursive($root/Organizations,H,OrgID)),\
                topcount(1,Amount))
                """,
                """
                filter(ID lt 3)/groupby((rolluprecursive($root/Organizations,H,OrgID)),\
                filter(OrgID eq Aggregation.rollupnode()/ID)/aggregate($count as N))
                """,
                """
                groupby((Customer),groupby((rolluprecursive($root/Organizations,H,OrgID)),\
                aggregate($count as N)))
                """,
            ]
            let others: [String] = [
                """
                Organizations?$apply=groupby((rolluprecursive(\(Self.tree))),\
                aggregate($count as N)/compute(N sub 1 as Below))
                """,
                """
                Organizations?$filter=ID eq 'EMEA' or ID eq 'US'&$orderby=ID&$expand=Sales(\
                $apply=groupby((rolluprecursive($root/Organizations/$filter(ID eq 'EMEA'\
                 or ID eq 'US'),H,OrgID)),aggregate(Amount with sum as T)))
                """,
            ]
            try expectSame(steps.applied(to: "Sales") + others)
        }

        @Test func conditionsOnTypesListsAndRowsFromElsewhere() throws {
            let steps: [String] = [
                "isof(Name,Edm.String)", "isof(Rank,Edm.Int64) and isof(Rank,Edm.Byte)",
                "isof(Rank,Edm.String) or isof(Rank,Edm.Decimal)", "isof(SuperID,Edm.String)",
                "isof(Rank mul 1000,Edm.Int16) and not isof(Rank mul 100,Edm.Byte)",
                "not isof(Place/Zip,Edm.Int32)", "isof(Edm.String)", "isof(S.Organization)",
                "isof(Place,S.Place)", "isof(Tags,Collection(Edm.String))",
                "isof('a',Edm.String) and isof(true,Edm.Boolean) and isof(1.5,Edm.Decimal)",
                "isof(Rank div 2.5e0,Edm.Double)", "isof(Rank div 2.5e0,Edm.Single)",
                "Name in [\"Far\",\"Near\",\"Away\"]", "Rank in [1,9]",
                "'us' in Tags", "not ('us' in Tags)", "Rank in Marks", "null in Tags",
                "Place eq {\"City\":\"Ulm\",\"Zip\":7}", "Place eq {\"City\":\"Rom\"}",
                "Place ne {\"City\":\"Rom\"}", "not (Place eq {\"City\":\"Rom\"})",
                "Place in [{\"City\":\"Rom\"},{\"City\":\"Ulm\",\"Zip\":7}]",
                "length(Tags) eq 2", "isdefined(Name) and isdefined(Place)",
                "Rank lt $root/Organizations('EMEA')/Rank",
                "Rank gt $root/Organizations(ID='EMEA')/Super/Rank mul 3",
                "Place/Zip eq $root/Organizations('Nobody')/Place/Zip",
                "$root/Organizations('Sales')/Subs/any(s:s/ID eq $it/ID)",
                "$root/Sales/$count eq 8 and Rank gt 5",
                "$root/Sales/any(s:s/OrgID eq $it/ID and s/Amount eq 8)",
                "'us' in $root/Organizations('US')/Tags and Rank gt 5",
                "$root/Sales/aggregate(Amount with max) eq Rank sub 1",
            ]
            let others: [String] = [
                "Organizations?$filter=@c/any(x:x eq ID)&$orderby=ID&@c=[\"US\",\"EMEA\"]",
                "Organizations?$filter=ID in @c&$orderby=ID&@c=[\"US\",\"EMEA\"]",
                "Organizations?$filter=Place eq @p&$orderby=ID&@p={\"City\":\"Rom\"}",
            ]
            try expectSame(steps.asked(of: "Organizations") + others)
        }

        @Test func rowsThatLackAPropertyAndAggregatesByName() throws {
            let groups = "groupby((rollup($all,Customer)),aggregate(Amount with sum as T))"
            let steps: [String] = [
                "\(groups)&$orderby=isdefined(Customer) desc,Customer",
                "\(groups)&$filter=not isdefined(Customer)",
                """
                concat(groupby((Org/ID)),aggregate($count as N))\
                /filter(isdefined(N) or not isdefined(Org))/compute(isdefined(Org/ID) as D)
                """,
                "aggregate(Amount with sum as T)&$filter=isdefined(Org)",
                """
                aggregate(Total from Customer as A,Largest from OrgID as B,\
                Total from OrgID,Customer with max from Customer with sum as C)
                """,
                "groupby((Customer),aggregate(Total from OrgID as A))",
            ]
            try expectSame(steps.applied(to: "Sales"))
        }

        @Test func nestedResults() throws {
            let steps: [String] = [
                "nest(topcount(1,Amount) as Top,groupby((Customer)) as Who)/compute(1 as One)",
                "nest(identity as A)/aggregate($count as N)",
                "nest(filter(ID lt 3) as A)/concat(identity,aggregate($count as N))",
                "concat(nest(filter(ID lt 3) as A),nest(filter(ID lt 4) as B))",
                """
                concat(aggregate($count as N),aggregate($count as M),\
                nest(filter(ID lt 3) as A),groupby((Customer),nest(identity as B)))
                """,
                "groupby((Customer),nest(filter(Amount gt 2) as Big,aggregate($count as N) as Sum))",
                "groupby((Customer),nest(filter(Amount gt 2) as Big))/filter(Customer eq 'Sue')",
                "nest(nest(filter(ID lt 4) as In) as Out)", "nest(expand(Org) as All)",
                "filter(ID lt 4)/nest(groupby((Customer),nest(aggregate($count as N) as In)) as Out)",
            ]
            let others: [String] = [
                """
                Organizations?$filter=Sales/any()&$orderby=ID&$select=ID&$expand=Sales($apply=\
                nest(groupby((Customer)) as Who,aggregate($count as N) as Sum))
                """,
                """
                Organizations?$apply=groupby((rolluprecursive($root/Organizations/$filter(ID eq\
                 'US' or SuperID eq 'US'),H,ID)),nest(aggregate($count as N) as In))
                """,
            ]
            try expectSame(steps.applied(to: "Sales") + others)
        }

        @Test(arguments: [
            ("Organizations?$apply=traverse($root/Organizations,H,ID,preorder)", "traverse"),
            (
                "Organizations?$filter=Tags eq [\"all\",\"us\"]",
                "comparison of collections and structures"
            ),
            ("Organizations?$filter=Tags ne Tags", "comparison of collections and structures"),
            (
                "Organizations?$filter=Tags in [[\"all\"],[]]",
                "comparison of collections and structures"
            ),
            (
                "Organizations?$filter=concat(Tags,[\"x\"]) eq [\"all\",\"x\"]",
                "concat of a collection"
            ),
            ("Organizations?$compute=substring(Marks,1) as M", "substring of a collection"),
            ("Organizations?$filter=contains(Marks,[4])", "contains of a collection"),
        ])
        func theRestIsRefusedBeforeAnyStatement(_ url: String, _ found: String) throws {
            let sales = try SalesStore()
            let mapping = SchemaMapping.local(
                for: try sales.fixture.graph(), dialect: .postgreSQL)
            let query = try sales.query(url)
            let refused = failure {
                try QueryCompiler(
                    mapping: mapping, options: CompilerOptions(dialect: .postgreSQL)
                ).compile(query)
            }
            let sentence = "Expected a query that the database can answer, found \(found)."
            #expect(refused == Failure(.notImplemented, sentence, status: 501))
        }
    }

    extension [String] {
        /// Queries that apply each of the steps to a set.
        fileprivate func applied(to set: String) -> [String] {
            map { steps -> String in "\(set)?$apply=\(steps)" }
        }

        /// Queries for the rows of a set under each of the conditions.
        fileprivate func asked(of set: String) -> [String] {
            map { condition -> String in "\(set)?$filter=\(condition)&$orderby=ID" }
        }
    }
#endif
