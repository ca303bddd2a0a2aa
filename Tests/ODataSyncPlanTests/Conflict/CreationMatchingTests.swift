import ODataModel
import ODataSyncPlan
import Testing

/// What was sent, and the rows that came since: which creations took effect.
@Suite struct CreationMatchingTests {
    private static func sent(_ first: Int64, _ second: Int64? = nil) -> StructureValue {
        QueueFixture.values(nil, first, second)
    }

    /// The decisions on creations of the given contents, numbered from 1, over rows of the given contents.
    private static func decide(
        _ creations: [StructureValue], _ rows: [(id: Int64, values: StructureValue)],
        inFlight: Set<Int64> = [], highest: [Int64: Int64] = [:]
    ) -> [Int64: CreationMatching.Decision] {
        var matching = CreationMatching(
            creations.enumerated().map {
                CreationMatching.Creation(
                    request: Int64($0 + 1), sent: $1, isInFlight: inFlight.contains(Int64($0 + 1)))
            }, graph: QueueFixture.graph)
        for row in rows {
            matching.look(at: row.id, row.values) { row.id > highest[$0] ?? 0 }
        }
        return matching.decisions()
    }

    private static func row(
        _ id: Int64, _ first: Int64, _ second: Int64? = nil
    ) -> (id: Int64, values: StructureValue) {
        (id, QueueFixture.values(1_000 + id, first, second))
    }

    @Test func theOneRowThatShowsWhatWasSentIsIt() {
        #expect(
            Self.decide([Self.sent(7)], [Self.row(1, 6), Self.row(2, 7, 9), Self.row(3, 8)])
                == [1: .happened(2)])
    }

    @Test func withoutSuchARowItDidNotHappen() {
        #expect(Self.decide([Self.sent(7)], [Self.row(1, 6)]) == [1: .notHappened])
        #expect(Self.decide([Self.sent(7)], []) == [1: .notHappened])
    }

    @Test func rowsThatWereThereBeforeCannotMatch() {
        #expect(
            Self.decide([Self.sent(7)], [Self.row(1, 7), Self.row(2, 7)], highest: [1: 1])
                == [1: .happened(2)])
        #expect(Self.decide([Self.sent(7)], [Self.row(1, 7)], highest: [1: 1]) == [1: .notHappened])
    }

    @Test func severalRowsAreTheAppsToChoose() {
        #expect(
            Self.decide([Self.sent(7)], [Self.row(1, 7), Self.row(2, 7)])
                == [1: .several([1, 2])])
    }

    /// Which of two that sent the same made the one row, nobody can tell, and nobody needs to.
    @Test func creationsOfOneContentShareTheRowsThatCame() {
        let twins = [Self.sent(7), Self.sent(7)]
        #expect(
            Self.decide(twins, [Self.row(1, 7), Self.row(2, 7)])
                == [1: .happened(1), 2: .happened(2)])
        #expect(Self.decide(twins, [Self.row(4, 7)]) == [1: .happened(4), 2: .notHappened])
        #expect(
            Self.decide(twins, [Self.row(1, 7), Self.row(2, 7), Self.row(3, 7)])
                == [1: .several([1, 2, 3]), 2: .several([1, 2, 3])])
    }

    /// One that sent less is shown by what one that sent more has made.
    @Test func aRowThatTwoDifferentCreationsCouldHaveMadeIsNobodys() {
        let creations = [Self.sent(7), Self.sent(7, 8)]
        #expect(
            Self.decide(creations, [Self.row(1, 7, 8)])
                == [1: .several([1]), 2: .several([1])])
        #expect(
            Self.decide(creations, [Self.row(1, 7, 9), Self.row(2, 5, 5)])
                == [1: .happened(1), 2: .notHappened])
    }

    @Test func whatIsOnItsWayMayHaveMadeTheRow() {
        #expect(
            Self.decide([Self.sent(7), Self.sent(7)], [Self.row(1, 7)], inFlight: [2])
                == [1: .tooEarly, 2: .tooEarly])
        #expect(
            Self.decide([Self.sent(7), Self.sent(7)], [], inFlight: [2])[1] == .notHappened)
    }

    /// The service may have changed what it was sent, by rules of its own.
    @Test func aRowThatShowsNearlyAllKeepsItFromBeingSentAgain() {
        #expect(Self.decide([Self.sent(7, 8)], [Self.row(1, 7, 9)]) == [1: .close([1])])
        #expect(Self.decide([Self.sent(7, 8)], [Self.row(1, 6, 9)]) == [1: .notHappened])
        // It is what another creation has made.
        #expect(
            Self.decide([Self.sent(7, 8), Self.sent(7, 9)], [Self.row(1, 7, 9)])
                == [1: .notHappened, 2: .happened(1)])
    }
}

/// How services keep what they are sent.
@Suite struct ContentComparisonTests {
    private static func decimal(_ text: String) -> Scalar {
        .decimal(DecimalNumber(text) ?? .zero)
    }

    private static func instant(_ text: String) -> Scalar {
        OffsetDateTime(text).map { .dateTimeOffset($0) } ?? .null
    }

    private static let alike: [(Scalar, Scalar)] = [
        (decimal("12.50"), decimal("12.5")),
        (decimal("12.345"), decimal("12.35")),
        (decimal("12.345"), decimal("12.34")),
        (decimal("-0.25"), decimal("-0.3")),
        (.integer(3), decimal("3.00")),
        (.double(0.1), .double(Double(Float(0.1)))),
        (.string("a "), .string("a")),
        (.string("a\r\nb"), .string("a\nb")),
        (.string(""), .null),
        (.null, .string("")),
        (instant("2024-05-01T10:00:00+02:00"), instant("2024-05-01T08:00:00Z")),
        (instant("2024-05-01T08:00:00.123456Z"), instant("2024-05-01T08:00:00.123Z")),
        (instant("2024-05-01T08:00:00.1239Z"), instant("2024-05-01T08:00:00.124Z")),
        (instant("2024-05-01T08:00:00.9Z"), instant("2024-05-01T08:00:00Z")),
        (instant("2024-05-01T08:00:00.9Z"), instant("2024-05-01T08:00:01Z")),
        (
            .duration(EdmDuration(seconds: 1, picoseconds: 250_000_000_000) ?? .zero),
            .duration(EdmDuration(seconds: 1) ?? .zero)
        ),
    ]

    private static let different: [(Scalar, Scalar)] = [
        (decimal("12.5"), decimal("12.50001")),
        (decimal("12.345"), decimal("12.4")),
        (decimal("12.345"), decimal("13")),
        (.double(0.1), .double(0.1001)),
        (.string("a"), .string("A")),
        (.string("a b"), .string("ab")),
        (.integer(0), .null),
        (.boolean(false), .null),
        (instant("2024-05-01T08:00:00Z"), instant("2024-05-01T08:00:00.001Z")),
        (instant("2024-05-01T08:00:00.9Z"), instant("2024-05-01T08:00:02Z")),
        (instant("2024-05-01T08:00:00.12Z"), instant("2024-05-01T08:00:00.3Z")),
        (instant("2024-05-01T08:00:00.124Z"), instant("2024-05-01T08:00:00.123Z")),
    ]

    @Test func valuesAreAlikeAsAServiceMayKeepThem() {
        for (sent, found) in Self.alike {
            #expect(ContentComparison.alike(sent, found), "\(sent) \(found)")
        }
        for (sent, found) in Self.different {
            #expect(!ContentComparison.alike(sent, found), "\(sent) \(found)")
        }
    }

    /// No reader lets values in that are nested so deep; who makes one all the same is told apart by nothing below that.
    @Test(arguments: [(60, true), (70, false)])
    func valuesAreComparedDownToABound(depth: Int, isShown: Bool) {
        var value = QueueFixture.values(nil, 2)
        for _ in 0..<depth {
            var outer = QueueFixture.values(nil, 1)
            outer.dynamicValues["inner"] = .structure(value)
            value = outer
        }
        #expect(ContentComparison(graph: QueueFixture.graph).shows(value, in: value) == isShown)
    }

    @Test func aRowWithoutAnythingThatWasSentShowsNothing() {
        let comparison = ContentComparison(graph: QueueFixture.graph)
        let nothing = QueueFixture.values(nil, nil)
        #expect(!comparison.shows(nothing, in: QueueFixture.values(1, 2)))
        #expect(comparison.shows(QueueFixture.values(nil, 2), in: QueueFixture.values(1, 2, 3)))
    }
}
