import ODataModel
import ODataStore
import ODataSyncPlan
import ODataText
import Testing

@Suite struct UndoTests {
    /// What can be done to one of two rows: customer 1 was downloaded, customer 2 is created here.
    enum Step: CaseIterable { case create, update, delete, undo, updateOld, deleteOld, undoOld }

    // CSP-169 FEA-040 FEA-042
    @Test(arguments: [true, false])
    func everyShortSequenceIsFoldedAndUndoneExactly(joins: Bool) throws {
        let fixture = try StoreFixture(
            join: JoinOnWrite(combinesUpdates: joins, combinesDeletes: joins))
        let old = try fixture.downloadCustomer(1, "Bo")
        let before = try fixture.dump()
        var number = 0
        for first in Step.allCases {
            for second in Step.allCases {
                for third in Step.allCases {
                    number += 1
                    var model = Model()
                    for (place, step) in [first, second, third].enumerated() {
                        try perform(step, "n\(place)", fixture, old, &model)
                        #expect(
                            try fixture.customers() == model.view, "\(first) \(second) \(third)")
                    }
                    if number % 20 == 0 { try fixture.reopen() }
                    #expect(try fixture.customers() == model.view)
                    try fixture.store.undo(Set([old, model.new].compactMap { $0 }))
                    #expect(try fixture.dump() == before, "\(first) \(second) \(third)")
                }
            }
        }
    }

    /// What a reader should see, kept without a queue.
    struct Model {
        var old: String? = "Bo"
        var new: RowReference?
        var name: String?

        var view: [String] {
            [old.map { "1:\($0)" }, name.map { "2:\($0)" }].compactMap { $0 }
        }
    }

    private func perform(
        _ step: Step, _ text: String, _ fixture: StoreFixture, _ old: RowReference,
        _ model: inout Model
    ) throws {
        switch step {
        case .create where model.name == nil:
            if let row = model.new { try fixture.store.undo([row]) }
            model.new = try fixture.create("Customers", ["ID": .number(2), "Name": .text(text)])
            model.name = text
        case .update where model.name != nil:
            guard let row = model.new else { return }
            try fixture.update(row, ["Name": .text(text)])
            model.name = text
        case .delete where model.name != nil:
            guard let row = model.new else { return }
            try fixture.store.perform(.delete(row))
            model.name = nil
        case .undo:
            guard let row = model.new else { return }
            try fixture.store.undo([row])
            model.name = nil
        case .updateOld where model.old != nil:
            try fixture.update(old, ["Name": .text(text)])
            model.old = text
        case .deleteOld where model.old != nil:
            try fixture.store.perform(.delete(old))
            model.old = nil
        case .undoOld:
            try fixture.store.undo([old])
            model.old = "Bo"
        default: break
        }
    }

    // FEA-044 FEA-045 FEA-046
    @Test(arguments: [true, false])
    func halfOfADeepInsertCanBeUndone(innerFirst: Bool) throws {
        let fixture = try StoreFixture()
        let before = try fixture.dump()
        let customer = try fixture.value("Customer", ["ID": .number(9), "Name": .text("Ada")])
        let order = try fixture.store.perform(
            .create(
                table: "Orders",
                value: try fixture.value(
                    "Order",
                    ["ID": .number(5), "Title": .text("Pens"), "Customer": .structure(customer)]),
                binds: []))
        let inner = try fixture.row("Customers", 9)
        #expect(try fixture.orders() == ["5:Pens>9"])
        #expect(try fixture.queue() == ["create Orders waiting"])
        if innerFirst {
            try fixture.store.undo([inner])
            #expect(try fixture.orders() == ["5:Pens>-"])
            #expect(try fixture.customers() == [])
            #expect(try fixture.store.allRequests().first?.body?.inline == [])
            try fixture.store.undo([order])
        } else {
            try fixture.store.undo([order])
            #expect(try fixture.orders() == [])
            #expect(try fixture.customers() == ["9:Ada"])
            #expect(try fixture.queue() == ["create Customers waiting"])
            try fixture.store.undo([inner])
        }
        #expect(try fixture.dump() == before)
    }

    // FEA-041
    @Test func theRelationsOfAnExistingEntityComeBack() throws {
        let fixture = try StoreFixture()
        try fixture.downloadCustomer(1, "Bo")
        let cy = try fixture.downloadCustomer(2, "Cy")
        let order = try fixture.downloadOrder(5, "Pens", customer: 1)
        let before = try fixture.dump()
        try fixture.store.perform(.createLink(cy, navigation: "Orders", target: order))
        #expect(try fixture.orders() == ["5:Pens>2"])
        try fixture.store.undo([order])
        #expect(try fixture.dump() == before)
    }

    // CSP-166 CSP-167 CSP-168
    @Test func cancelRemovesRequestsAndWhatDependsOnThem() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        let before = try fixture.dump()
        let ada = try fixture.create("Customers", ["ID": .number(2), "Name": .text("Ada")])
        _ = try fixture.create(
            "Orders", ["ID": .number(5)],
            binds: [RequestBody.Bind(navigation: "Customer", targets: [ada])])
        try fixture.update(bo, ["Name": .text("Bob")])
        #expect(try fixture.store.cancel([]) == [])
        #expect(try fixture.queue().count == 3)
        let creation = try #require(try fixture.store.allRequests().first)
        #expect(try fixture.store.cancel([creation.id]).count == 2)
        #expect(try fixture.queue() == ["merge Customers waiting"])
        #expect(try fixture.customers() == ["1:Bob"])
        try fixture.store.cancel(nil)
        #expect(try fixture.dump() == before)
    }
}
