import ODataModel

/// Makes the members of structs, and notes which other types they use.
struct StructMemberBuilder {
    let graph: MetadataGraph
    var places: StructPlaces
    /// Sets and singletons whose entities have structs.
    var chosen: Set<EntitySetID> = []
    var complexNames: [StructureID: String] = [:]
    var enumerationNames: [EnumerationID: String] = [:]
    /// Types whose names members might have.
    var uncased: Set<String> = []
    var reachedEnumerations: Set<EnumerationID> = []
    private var reachedComplex: Set<StructureID> = []
    /// Those of them that were not taken yet.
    private var waiting: [StructureID] = []
    /// What the graph says of a type, which looks at all sets.
    private var onlySets: [StructureID: EntitySetID?] = [:]
    /// Complex types that hold a single value of themselves, directly or through others.
    private var isRecursive: [StructureID: Bool] = [:]
    /// Complex types whose structs say all of a value, for single values and for items of collections.
    private var wholes: [Bool: [StructureID: Bool]] = [:]
    /// Where navigation paths of a set lead, type casts left out.
    private var bindings: [EntitySetID: [String: String]] = [:]

    init(graph: MetadataGraph, places: StructPlaces) {
        self.graph = graph
        self.places = places
    }

    /// What a member that a document declares can be made into.
    enum Outcome {
        case property(StructType)
        case omitted(String)
    }

    func scope(_ reserved: Set<String> = StructNames.members) -> NameScope {
        NameScope(reserved: reserved.union(uncased))
    }

    // MARK: Structs

    mutating func entity(_ place: StructPlace) -> StructDeclaration {
        let set = graph[place.root]
        let type = graph[place.key.type]
        // What a set says of itself does not hold for what its entities contain, whatever its type.
        let isContained = !place.steps.isEmpty
        let rules = isContained ? StructRules() : StructRules(set: set.annotations)
        var result = StructDeclaration(
            kind: .entity(
                set: place.key.path, derived: place.kind == .derived ? type.qualifiedName : nil),
            typeName: place.name, qualifiedName: type.qualifiedName,
            note: place.kind == .set
                ? note(set.annotations, type.annotations) : note(type.annotations))
        result.isOpen = type.isOpen
        var scope = scope(
            type.isOpen ? StructNames.members.union(["dynamic"]) : StructNames.members)
        let keys = Set(type.key.map(\.path))
        let isCreated =
            rules.isInsertable && !type.isAbstract && (isContained || !set.isSingleton)
        var draft = StructDraft()
        for property in type.properties where !property.isNavigation {
            if property.type.primitive == .stream, !property.type.isCollection {
                let member = scope.give(SwiftName.member(property.name))
                result.streams.append(
                    .init(name: property.name, member: member, note: note(property.annotations)))
            } else {
                addProperty(property, keys, rules, isCreated, &scope, &result, &draft)
            }
        }
        for property in type.properties where property.isNavigation {
            addLink(property, of: place, rules, &scope, &result, &draft)
        }
        if type.hasStream {
            result.streams.append(.init(name: nil, member: scope.give("content")))
        }
        addDerived(place, &scope, &result)
        if isCreated {
            result.draft = draft.withAlternatives(type, links: result.links)
        } else if !set.isSingleton, !type.isAbstract {
            result.omissions.append("no draft, the service creates no entities of the set.")
        }
        return result
    }

    private func addDerived(
        _ place: StructPlace, _ scope: inout NameScope, _ result: inout StructDeclaration
    ) {
        for id in places.derived(place.key.type) {
            guard let other = places[place.key.path, id] else { continue }
            let name = graph[id].name
            result.derived.append(
                .init(
                    qualifiedName: graph[id].qualifiedName, typeName: other.name,
                    member: scope.give(SwiftName.member(name)),
                    isMember: scope.give("is" + SwiftName.type(name))))
        }
    }

    mutating func complex(_ id: StructureID, named name: String) -> StructDeclaration {
        let type = graph[id]
        var result = StructDeclaration(
            kind: .complex, typeName: name, qualifiedName: type.qualifiedName,
            note: note(type.annotations))
        var scope = scope()
        var draft = StructDraft()
        for property in type.properties where !property.isNavigation {
            addProperty(property, [], StructRules(), true, &scope, &result, &draft)
        }
        let links = type.properties.filter(\.isNavigation).map(\.name)
        if !links.isEmpty {
            result.omissions.append(
                "without " + list(links) + ", links of complex types are not there yet.")
        }
        result.draft = draft
        return result
    }

    private mutating func addProperty(
        _ property: PropertyDefinition, _ keys: Set<String>, _ rules: StructRules,
        _ isCreated: Bool, _ scope: inout NameScope, _ result: inout StructDeclaration,
        _ draft: inout StructDraft
    ) {
        var type: StructType
        switch outcome(property.type) {
        case .omitted(let why):
            result.omissions.append("without `\(SwiftText.comment(property.name))`, \(why).")
            return
        case .property(let found): type = found
        }
        let isKey = keys.contains(property.name)
        // A key is always there, whatever the document says; the store makes one up until the service has.
        if isKey { type.isOptional = false }
        // The store makes keys up for these, and for no others.
        let isMadeUp = isKey && property.type.hasLocalKeys
        let member = scope.give(SwiftName.member(property.name))
        let text = note(property.annotations)
        if isCreated, rules.isCreatable(property) || isNeeded(property, isKey, rules) {
            let need = need(property, type, isKey: isKey, isOnlyKey: keys.count == 1, rules)
            draft.parts.append(
                .init(name: property.name, member: member, type: type, need: need, note: text))
            // What the service makes is not there until it has.
            if need == .optional, !isMadeUp { type.isOptional = true }
        } else if isCreated, !isMadeUp {
            type.isOptional = true
        }
        let isWhole = isWhole(property.type)
        result.properties.append(
            StructProperty(
                name: property.name, member: member, type: type,
                isChangeable: !isKey && rules.isChangeable(property) && isWhole, note: text))
    }

    private mutating func addLink(
        _ property: PropertyDefinition, of place: StructPlace, _ rules: StructRules,
        _ scope: inout NameScope, _ result: inout StructDeclaration, _ draft: inout StructDraft
    ) {
        let (target, why) = target(of: property, at: place)
        guard let target else {
            result.omissions.append("without `\(SwiftText.comment(property.name))`, \(why).")
            return
        }
        let type = graph[place.key.type]
        let isCollection = property.type.isCollection
        let isContained = property.navigation?.containsTarget == true
        let dependents = (property.navigation?.referentialConstraints ?? []).map(\.property)
        let keys = Set(type.key.map(\.path))
        let isFree = dependents.allSatisfy { dependent in
            guard !keys.contains(dependent), let slot = type.slot(named: dependent) else {
                return false
            }
            return rules.isChangeable(type.properties[slot])
        }
        let link = StructLink(
            name: property.name, member: scope.give(SwiftName.member(property.name)),
            target: target.name, isCollection: isCollection,
            isChangeable: !isCollection && !isContained && isFree && rules.isChangeable(property),
            note: note(property.annotations))
        result.links.append(link)
        guard rules.isCreatable(property) else { return }
        if isContained, !graph[target.key.type].isAbstract {
            draft.children.append(
                .init(
                    name: property.name, member: link.member, target: target.name,
                    isCollection: isCollection))
        } else if !isCollection, !isContained {
            draft.links.append(
                .init(
                    name: property.name, member: link.member, target: target.name,
                    isAlternative: false))
        }
    }

    /// The place that a navigation property leads to, or why there is none.
    private mutating func target(
        of property: PropertyDefinition, at place: StructPlace
    ) -> (place: StructPlace?, why: String) {
        guard let type = property.type.structure else { return (nil, "its type is unknown") }
        if property.navigation?.containsTarget == true {
            let found = places[place.key.path + "/" + property.name, type]
            return (found, "what it contains is beneath itself, or derived types contain it")
        }
        let path = (place.steps + [property.name]).joined(separator: "/")
        guard let id = boundSet(path, in: place.root) ?? onlySet(type) else {
            return (nil, "the document does not say which set it leads to")
        }
        let set = graph[id]
        guard chosen.contains(id) else {
            return (nil, "\(SwiftText.comment(set.name)) was not asked for")
        }
        let name = graph.pathName(of: id)
        return (places[name, type] ?? places[name, set.type], "its type is unknown")
    }

    private mutating func boundSet(_ path: String, in set: EntitySetID) -> EntitySetID? {
        if bindings[set] == nil {
            let all = graph[set].bindings.map { binding in
                let steps = binding.path.split(separator: "/").filter { !$0.contains(".") }
                return (steps.joined(separator: "/"), binding.target)
            }
            bindings[set] = Dictionary(all, uniquingKeysWith: { first, _ in first })
        }
        return bindings[set]?[path].flatMap { graph.entitySet(named: $0) }
    }

    private mutating func onlySet(_ type: StructureID) -> EntitySetID? {
        if let known = onlySets[type] { return known }
        let only = graph.onlySet(of: type)
        onlySets[type] = .some(only)
        return only
    }

    // MARK: Questions

    /// Nothing would be created without it, whatever else the document says.
    private func isNeeded(
        _ property: PropertyDefinition, _ isKey: Bool, _ rules: StructRules
    ) -> Bool {
        !isKey && !property.type.isNullable && !property.type.isCollection
            && property.defaultValue == nil && !rules.isComputed(property)
            && !rules.hasComputedDefault(property)
    }

    private func need(
        _ property: PropertyDefinition, _ type: StructType, isKey: Bool, isOnlyKey: Bool,
        _ rules: StructRules
    ) -> StructDraft.Part.Need {
        if type.isCollection { return .defaulted("[]") }
        if rules.hasComputedDefault(property) { return .optional }
        // Most services count them, and few say so.
        if isKey, isOnlyKey, property.type.primitive?.isInteger ?? false,
            property.defaultValue == nil
        {
            return .optional
        }
        if type.isOptional { return .optional }
        guard let text = property.defaultValue else { return .required }
        switch property.type.kind {
        case .primitive(let primitive):
            return StructType.literal(text, primitive).map { .defaulted($0) } ?? .optional
        case .enumeration, .structure: return .optional
        }
    }

    /// All of a value is written where a part of it changes: what the struct does not know would be lost, and of an item in
    /// a collection, which no service merges with what was there, what the struct does not write, too.
    private mutating func isWhole(_ type: TypeReference) -> Bool {
        guard let id = type.structure else { return true }
        if let known = wholes[type.isCollection]?[id] { return known }
        var result = true
        var seen: [StructureID: Bool] = [:]
        var rest = [(id: id, isItem: type.isCollection)]
        while result, let next = rest.popLast() {
            if let known = seen[next.id], known || !next.isItem { continue }
            seen[next.id] = next.isItem
            let definition = graph[next.id]
            result = definition.derivedIDs.isEmpty && !definition.isOpen
            for property in definition.properties {
                if next.isItem, !isWritten(property) { result = false }
                guard !property.isNavigation, let inner = property.type.structure else { continue }
                rest.append((inner, next.isItem || property.type.isCollection))
            }
        }
        wholes[type.isCollection, default: [:]][id] = result
        return result
    }

    /// The struct of a complex type has the property, and says it.
    private mutating func isWritten(_ property: PropertyDefinition) -> Bool {
        guard !property.isNavigation, case .property = outcome(property.type) else { return false }
        let rules = StructRules()
        return rules.isCreatable(property) || isNeeded(property, false, rules)
    }

    /// The Swift type of a property, a parameter or a result; what it uses is made, too.
    mutating func outcome(_ type: TypeReference) -> Outcome {
        var result = StructType(base: "")
        result.isCollection = type.isCollection
        result.isOptional = type.isNullable && !type.isCollection
        switch type.kind {
        case .primitive(let primitive):
            guard let base = StructType.base(primitive) else {
                return .omitted(
                    primitive == .stream
                        ? "streams are no values" : "values of any type are not there yet")
            }
            result.base = base
        case .enumeration(let id):
            guard let name = enumerationNames[id] else { return .omitted("its type is unknown") }
            reachedEnumerations.insert(id)
            result.base = name
        case .structure(let id):
            guard let name = complexNames[id] else { return .omitted("its type is unknown") }
            guard type.isCollection || !holdsItself(id) else {
                return .omitted("its type holds values of itself")
            }
            reach(id)
            result.base = name
            result.isComplex = true
        }
        return .property(result)
    }

    /// The struct of a complex type is asked for.
    mutating func reach(_ id: StructureID) {
        if reachedComplex.insert(id).inserted { waiting.append(id) }
    }

    /// A complex type whose struct was asked for, each once; nil where there is no other.
    mutating func takeReached() -> StructureID? { waiting.popLast() }

    private mutating func holdsItself(_ id: StructureID) -> Bool {
        if let known = isRecursive[id] { return known }
        var seen: Set<StructureID> = []
        var rest = singleParts(id)
        while let next = rest.popLast() {
            if next == id {
                isRecursive[id] = true
                return true
            }
            if seen.insert(next).inserted { rest += singleParts(next) }
        }
        isRecursive[id] = false
        return false
    }

    private func singleParts(_ id: StructureID) -> [StructureID] {
        graph[id].properties.compactMap {
            $0.isNavigation || $0.type.isCollection ? nil : $0.type.structure
        }
    }

    func note(
        _ annotations: [AnnotationDefinition], _ others: [AnnotationDefinition] = []
    ) -> String {
        let text = DocumentNote.text(annotations)
        return text.isEmpty ? DocumentNote.text(others) : text
    }

    private func list(_ names: [String]) -> String {
        names.map { "`\(SwiftText.comment($0))`" }.joined(separator: ", ")
    }
}

extension StructDraft {
    /// The draft with the links that may be said in place of the foreign keys that are required.
    fileprivate func withAlternatives(
        _ type: StructureDefinition, links: [StructLink]
    ) -> StructDraft {
        var result = self
        var taken: Set<String> = []
        for (index, link) in self.links.enumerated() {
            guard let slot = type.slot(named: link.name),
                let constraints = type.properties[slot].navigation?.referentialConstraints,
                !constraints.isEmpty
            else { continue }
            let places = constraints.compactMap { constraint in
                parts.firstIndex { $0.name == constraint.property }
            }
            guard places.count == constraints.count,
                constraints.allSatisfy({ !taken.contains($0.property) }),
                places.contains(where: { parts[$0].need == .required })
            else { continue }
            for place in places where parts[place].need == .required {
                result.parts[place].need = .unless(link: link.name)
            }
            result.links[index].isAlternative = true
            taken.formUnion(constraints.map(\.property))
        }
        return result
    }
}
