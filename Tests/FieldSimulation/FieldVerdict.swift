import ODataText
import SAPOData

/// What a schedule came to, from the service that knows the truth.
struct FieldVerdict {
    private let client: FieldClient
    private let app: FieldApp
    private let service: FieldService
    private let gaveUp: Set<String>

    init(_ client: FieldClient, _ service: FieldService, gaveUp: Set<String>) {
        self.client = client
        app = client.app
        self.service = service
        self.gaveUp = gaveUp
    }

    private var memory: FieldMemory { app.memory }

    // MARK: Changes

    /// Each acknowledged change had its effect, in order, and none had it twice.
    func ofChanges() -> [String] {
        var findings: [String] = []
        let effects = Dictionary(
            grouping: service.effects.filter { $0.client == app.client }, by: \.name)
        let alive = Dictionary(
            grouping: service.rows.values.flatMap(\.values), by: \.name)
        for (name, texts) in memory.texts.sorted(by: { $0.key < $1.key }) {
            let own = effects[name] ?? []
            findings += disorder(name, own, texts)
            let count = alive[name]?.count ?? 0
            if count > max(1, winners(of: name)) {
                findings.append("\(name) is there \(count) times")
            }
            guard !isLoose(name) else { continue }
            if memory.deleted.contains(name) {
                if count > 0, !isMadeByOthers(name) {
                    findings.append("\(name) was deleted and is there")
                }
            } else if let last = texts.last, !own.contains(where: { $0.after == last }) {
                findings.append("\(name) was to say '\(last)', and that never came")
            }
        }
        for effect in service.effects where memory.takenBack.contains(effect.after) {
            findings.append("'\(effect.after)' was taken back before it was sent, and came")
        }
        if service.traits.hasTags, client.habits.policy == .report {
            findings += service.effects.filter {
                $0.client == app.client && $0.kind != .create && !$0.wasTagged
            }.map { "\($0.kind) of \($0.name) went over any state" }
        }
        findings += silentOverwrites()
        return findings.map { "client \(app.client): " + $0 }
    }

    /// Nothing of others that no download had brought goes without somebody's decision, or a policy's of which the app was told.
    private func silentOverwrites() -> [String] {
        guard service.traits.hasTags else { return [] }
        return service.effects.filter { effect in
            effect.client == app.client && effect.wasUnseen
                && !memory.insisted.contains(effect.name)
                && !memory.shown.contains("\(effect.name) \(effect.before)")
                && !memory.overwrote.contains(effect.name)
                // Who looks whether a change of its own has arrived sees what others have done behind it.
                && !effect.before.hasPrefix("t\(app.client)-")
        }.map { "\($0.kind) of \($0.name) went over '\($0.before)' of somebody else unseen" }
    }

    /// Nobody can say what this row is in the end; that it is the same on both sides is asked elsewhere.
    private func isLoose(_ name: String) -> Bool {
        memory.loose.contains(name) || gaveUp.contains(FieldApp.set(of: name))
            || [.clientWins, .merge].contains(client.habits.policy)
                && service.conflicts.contains("\(app.client) \(name)")
    }

    /// How many clients have made a row of this name against what others have done: each of those that win against a deletion
    /// makes one of its own.
    private func winners(of name: String) -> Int {
        Set(service.effects.filter { $0.kind == .create && $0.name == name }.map(\.client))
            .count { service.conflicts.contains("\($0) \(name)") }
    }

    /// Somebody else's client that wins against a deletion makes the row again.
    private func isMadeByOthers(_ name: String) -> Bool {
        service.effects.contains {
            $0.kind == .create && $0.name == name && $0.client != app.client
        }
    }

    private func disorder(_ name: String, _ own: [FieldEffect], _ texts: [String]) -> [String] {
        var findings: [String] = []
        let creations = own.count { $0.kind == .create }
        // What others have deleted before anybody looked was never there, and who wins against a deletion makes the row again.
        let removed = service.removals.count { $0.name == name && $0.client != app.client }
        if creations > 1 + removed {
            findings.append("\(name) was made \(creations) times")
        }
        // What a policy sends has what was here by then, and changes behind it follow.
        guard removed == 0, client.habits.policy == .report, !memory.corrected.contains(name) else {
            return findings
        }
        var places: [Int] = []
        for effect in own where effect.kind != .delete {
            guard let place = texts.firstIndex(of: effect.after) else { continue }
            // Over an untagged row the same may go again.
            if !service.traits.hasTags, places.last == place { continue }
            places.append(place)
        }
        if places != places.sorted() || Set(places).count != places.count {
            findings.append("\(name) had \(own.map(\.after)), which were written as \(texts)")
        }
        return findings
    }

    // MARK: The store

    /// The store has what its sources say, and nothing else.
    func ofStore() throws -> [String] {
        var findings: [String] = []
        for set in service.model.sets.keys.sorted() {
            guard let entitySet = app.entitySet(set) else {
                findings.append("the set \(set) is not in the store")
                continue
            }
            let expected = service.sorted(set).filter(isHeld).map(text).sorted()
            let held = Set(service.sorted(set).filter(isHeld).map(\.name))
            let found = try app.rows(entitySet).filter { row in
                let name = app.name(row)
                // What was made here stays where no query brings it.
                return held.contains(name) || memory.texts[name] == nil || client.habits.readsAll
            }.map(text).sorted()
            if expected != found {
                findings.append(
                    "\(set) differ: only at the service \(Set(expected).subtracting(found).sorted()),"
                        + " only in the store \(Set(found).subtracting(expected).sorted())")
            }
        }
        return findings.map { "client \(app.client): " + $0 }
    }

    private func isHeld(_ row: FieldRow) -> Bool {
        guard row.set == "Orders", !client.habits.readsAll else { return true }
        return memory.queries.values.contains { $0.takes(row.size) }
    }

    private func text(_ row: FieldRow) -> String {
        let names = service.model.sets[row.set] ?? []
        let key: String =
            switch row.key {
            case .number(let number): "\(number)"
            case .text(let text): text
            }
        return
            (["Key=\(key)"]
            + names.map { property in
                let value: String =
                    switch row.values[property.name] ?? .null {
                    case .string(let text): text
                    case .number(let text): text
                    case .boolean(let value): "\(value)"
                    default: "null"
                    }
                return property.name + "=" + value
            }).sorted().joined(separator: " ")
    }

    private func text(_ entity: EntityValue) -> String {
        app.values(entity).sorted().joined(separator: " ")
    }
}
