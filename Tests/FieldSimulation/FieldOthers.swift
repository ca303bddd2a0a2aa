import ODataText

/// Who else works with the service: changes rows, and now and then what the service is.
final class FieldOthers: @unchecked Sendable {
    private let service: FieldService
    private let changesMetadata: Bool
    private var random: SeededGenerator
    /// When they do something next.
    private var next = Duration.zero
    private(set) var count = 0
    var omitted: Set<Int> = []
    /// What is lost with what the service gave up: nobody can ask for it.
    private(set) var gaveUp: Set<String> = []
    var tell: (String) -> Void = { _ in }

    init(_ service: FieldService, seed: UInt64, changesMetadata: Bool) {
        self.service = service
        self.changesMetadata = changesMetadata
        random = SeededGenerator(seed: seed ^ 0x6A09_E667)
        next = pause()
    }

    private func pause() -> Duration { .milliseconds(Int64(20 + random.next() % 200)) }

    /// Does what they have done up to a time. Nobody sees it before somebody asks the service, so that it is done then.
    func work(until now: Duration) {
        while next <= now, count < 900 {
            next += pause()
            count += 1
            let (lot, other) = (random.next() % 20, random.next())
            guard !omitted.contains(count) else { continue }
            if changesMetadata, lot < 4 { changeModel(other) } else { changeRows(lot, other) }
        }
    }

    private func changeRows(_ lot: UInt64, _ other: UInt64) {
        let rows = service.sorted("Orders")
        guard lot > 7, !rows.isEmpty else {
            if lot == 7 {
                tell("adds an order")
                service.add(
                    [
                        "Name": .string("x\(count)"), "Text": .string("others \(count)"),
                        "Size": .number("\(other % 10)"),
                    ], to: "Orders")
            }
            return
        }
        let row = rows[Int(other % UInt64(rows.count))]
        switch lot {
        case 8:
            tell("deletes \(row.name)")
            service.remove(row.key, from: "Orders")
        case 9, 10:
            tell("changes the text of \(row.name)")
            service.change(row.key, in: "Orders") { $0.values["Text"] = .string("others \(count)") }
        case 11, 12, 13:
            tell("changes the size of \(row.name)")
            service.change(row.key, in: "Orders") {
                $0.values["Size"] = .number("\(other / 16 % 10)")
            }
        default: break
        }
    }

    private func changeModel(_ lot: UInt64) {
        switch lot % 6 {
        case 0: changeExtra(to: nil)
        case 1: changeExtra(to: .text)
        case 2: changeExtra(to: .number)
        case 3: addProperty()
        case 4 where service.model.sets["Items"] != nil:
            tell("takes the set of items away")
            service.model.sets["Items"] = nil
            gaveUp.insert("Items")
            service.hasGivenUp = true
            for row in service.sorted("Items") { service.remove(row.key, from: "Items") }
        case 5 where service.traits.hasItems && service.model.sets["Items"] == nil:
            tell("brings the set of items back")
            service.model.sets["Items"] = FieldModel(service.traits).sets["Items"]
            service.add(
                ["Name": .string("i\(3 + count)"), "Text": .string("new")], to: "Items")
        default: break
        }
    }

    private func changeExtra(to type: FieldModel.PropertyType?) {
        guard service.model.type(of: "Extra", in: "Orders") != type else { return }
        tell("makes Extra " + (type.map { "\($0)" } ?? "go"))
        service.hasChanged = true
        service.model.sets["Orders"]?.removeAll { $0.name == "Extra" }
        if let type {
            service.model.sets["Orders"]?.append(FieldModel.Property(name: "Extra", type: type))
        }
        for row in service.sorted("Orders") {
            service.change(row.key, in: "Orders") { row in
                row.values["Extra"] = type == .number ? .number("\(row.number)") : nil
            }
        }
    }

    private func addProperty() {
        guard service.model.type(of: "More", in: "Orders") == nil else { return }
        tell("adds the property More")
        service.model.sets["Orders"]?.append(FieldModel.Property(name: "More", type: .truth))
        for row in service.sorted("Orders") {
            service.change(row.key, in: "Orders") { $0.values["More"] = .boolean(true) }
        }
    }
}
