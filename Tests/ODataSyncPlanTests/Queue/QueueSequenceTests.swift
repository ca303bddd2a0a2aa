import ODataModel
import ODataSyncPlan
import Testing

/// All sequences of up to four steps over a downloaded row (1) and a row created here (-1).
@Suite struct QueueSequenceTests {
    enum Step: CaseIterable {
        case create, updateNew, deleteNew, undoNew, updateOld, replaceOld, deleteOld, undoOld
    }

    static let base = BaseImage.present(QueueFixture.values(1, 10, 20))

    static let sequences: [[Step]] = {
        var all: [[Step]] = [[]]
        var last: [[Step]] = [[]]
        for _ in 0..<4 {
            last = last.flatMap { sequence in Step.allCases.map { sequence + [$0] } }
            all += last
        }
        return all
    }()

    /// The state of both rows without any queue.
    struct Model: Equatable {
        var old: StructureValue? = QueueFixture.values(1, 10, 20)
        var new: StructureValue?

        mutating func take(_ step: Step, _ value: Int64) -> Bool {
            let number = ODataValue.scalar(.integer(value))
            switch step {
            case .create where new == nil: new = QueueFixture.values(2, value)
            case .updateNew where new != nil: new?.slots[1] = number
            case .deleteNew where new != nil: new = nil
            case .undoNew: new = nil
            case .updateOld where old != nil: old?.slots[1] = number
            case .replaceOld where old != nil:
                old?.slots[1] = .null
                old?.slots[2] = number
            case .deleteOld where old != nil: old = nil
            case .undoOld: old = QueueFixture.values(1, 10, 20)
            default: return false
            }
            return true
        }
    }

    private func run(_ sequence: [Step], join: JoinOnWrite) -> (QueueFixture, Model)? {
        var fixture = QueueFixture(join: join)
        var model = Model()
        for (place, step) in sequence.enumerated() {
            let value = Int64(100 + place)
            // A row that was deleted and not undone cannot be created again under its id.
            if step == .create, fixture.queue.contains(where: { $0.target == QueueFixture.row(-1) })
            {
                return nil
            }
            guard model.take(step, value) else { return nil }
            switch step {
            case .create: fixture.record(.create, -1, QueueFixture.values(2, value))
            case .updateNew: fixture.record(.update(.merge), -1, QueueFixture.values(nil, value))
            case .deleteNew: fixture.record(.delete, -1)
            case .undoNew: fixture.undo([-1])
            case .updateOld: fixture.record(.update(.merge), 1, QueueFixture.values(nil, value))
            case .replaceOld:
                fixture.record(.update(.replace), 1, QueueFixture.values(nil, nil, value))
            case .deleteOld: fixture.record(.delete, 1)
            case .undoOld: fixture.undo([1])
            }
            guard fixture.state(1, Self.base) == model.old, fixture.state(-1, .absent) == model.new
            else {
                Issue.record("\(sequence) at \(place), joins \(join.combinesUpdates)")
                return nil
            }
        }
        return (fixture, model)
    }

    @Test(arguments: [true, false], [true, false])
    func stateIsWhatTheStepsSayWithAnyJoins(updates: Bool, deletes: Bool) {
        let join = JoinOnWrite(combinesUpdates: updates, combinesDeletes: deletes)
        var count = 0
        for sequence in Self.sequences {
            guard var (fixture, _) = run(sequence, join: join) else { continue }
            count += 1
            fixture.undo([1, -1])
            #expect(fixture.queue.isEmpty, "\(sequence)")
        }
        #expect(count > 400)
    }

    @Test func joinedQueuesAreAsShortAsTheirEffect() {
        for sequence in Self.sequences {
            guard let (fixture, model) = run(sequence, join: JoinOnWrite()) else { continue }
            let old = fixture.queue.filter { $0.target == QueueFixture.row(1) }
            let new = fixture.queue.filter { $0.target == QueueFixture.row(-1) }
            #expect(old.count <= 1 && new.count <= 1, "\(sequence)")
            #expect((model.new == nil) == new.isEmpty, "\(sequence)")
            #expect(!(model.old == nil) || old.first?.operation == .delete, "\(sequence)")
        }
    }
}
