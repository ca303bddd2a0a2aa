#if PostgreSQL
    import Foundation
    import ODataModel
    import ODataQuery
    import ODataSQL
    import ODataStore
    import ODataText
    import ODataWire
    import PostgreSQLFixture
    import Testing

    /// The random queries of the oracle over the rows of its stores, which PostgreSQL has too: the statements that are
    /// compiled for it give what those for SQLite give.
    ///
    /// `ODATA_POSTGRESQL` says how many queries, `ODATA_SEED` where they begin.
    @Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
    struct PostgreSQLOracleTests {
        private static func setting(_ name: String, _ otherwise: Int) -> Int {
            ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? otherwise
        }

        /// How many queries each random database is asked.
        private static let round = 500

        @Test func postgreSQLGivesWhatSQLiteGives() throws {
            let (total, seed) = (
                Self.setting("ODATA_POSTGRESQL", 1_000), Self.setting("ODATA_SEED", 1)
            )
            let graph = try CSDLReader.read(Array(OracleModel.metadata.utf8))
            var tally = Tally()
            var number = UInt64(seed)
            while tally.asked < total {
                let desk = try Desk(OracleData(graph: graph, seed: number))
                defer { desk.close() }
                var queries = OracleQueries(seed: number &* 7_919)
                for _ in 0..<min(Self.round, total - tally.asked) {
                    let query = queries.query()
                    guard let outcome = desk.outcome(query) else { continue }
                    tally.asked += 1
                    switch outcome {
                    case .same: tally.same += 1
                    case .refused(let reason): tally.refused[reason, default: 0] += 1
                    case .either: tally.either += 1
                    case .difference(let text):
                        tally.differences += 1
                        if tally.differences <= 12 { Issue.record("seed \(number): \(text)") }
                    }
                }
                number += 1
            }
            print("figure: postgresql \(tally.text) seeds=\(seed)...\(number - 1)")
            #expect(tally.differences == 0)
            // What is refused is little, else nothing would be compared.
            #expect(tally.same * 10 > tally.asked * 8)
        }

        struct Tally {
            var asked = 0
            var same = 0
            /// Answers where the query leaves open which of several rows come.
            var either = 0
            var differences = 0
            var refused: [String: Int] = [:]

            var text: String {
                "queries=\(asked) same=\(same) either=\(either) differences=\(differences)"
                    + " refused=\(refused.sorted { $0.key < $1.key })"
            }
        }

        enum Outcome {
            case same
            case either
            case refused(String)
            case difference(String)
        }

        /// One random database in both.
        private struct Desk {
            let data: OracleData
            private let store: LocalStore
            private let folder: URL
            private let twin: PostgreSQLTwin

            init(_ data: OracleData) throws {
                self.data = data
                (store, folder) = try data.store()
                twin = try PostgreSQLTwin(of: store)
            }

            func close() {
                try? store.close()
                try? FileManager.default.removeItem(at: folder)
                data.unlink()
            }

            /// Nil for a query that the model or SQLite does not allow.
            func outcome(_ query: Query) -> Outcome? {
                var query = query
                let (expected, plan): (PlanAnswer, QueryPlan)
                do {
                    try QueryChecker.check(&query, graph: data.graph)
                    plan = try twin.plan(query, .sqlite)
                    expected = try twin.answer(plan, .sqlite)
                } catch { return nil }
                let url =
                    (try? URLWriter.text(query, graph: data.graph, dialect: .v401))?
                    .removingPercentEncoding ?? "\(query)"
                var sql = ""
                do {
                    let plan = try twin.plan(query, .postgreSQL)
                    sql = plan.statement?.text ?? plan.countStatement?.text ?? ""
                    let found = try twin.answer(plan, .postgreSQL)
                    let isOrdered = !query.orderBy.isEmpty && !plan.isDerived
                    guard let text = found.difference(from: expected, isOrdered: isOrdered) else {
                        return .same
                    }
                    if plan.isDerived, Self.leavesOpen(query) { return .either }
                    return .difference("\(url)\n  PostgreSQL, SQLite: \(text)\n  \(sql)")
                } catch let error as ODataError where error.code == .notImplemented {
                    return .refused(error.message)
                } catch {
                    return .difference("\(url)\n  \(error)\n  \(sql)")
                }
            }

            /// True where rows of equal rank are cut off: rows that are no entities have no key to decide.
            private static func leavesOpen(_ query: Query) -> Bool {
                query.top != nil || query.skip != nil || query.apply.contains(where: cuts)
            }

            private static func cuts(_ step: Transformation) -> Bool {
                switch step {
                case .top, .skip, .ranked: true
                case .groupBy(_, let steps): steps.contains(where: cuts)
                case .concat(let sequences): sequences.contains { $0.contains(where: cuts) }
                default: false
                }
            }
        }
    }
#endif
