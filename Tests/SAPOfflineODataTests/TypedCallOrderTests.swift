import GRDB
import ODataModel
import ODataServer
import ODataTesting
import ODataWire
import SAPOfflineOData
import Synchronization
import Testing

/// Typed calls give objects of the app's classes whatever was done first: making the service class, registering its
/// classes, opening the store or refreshing metadata; and whether the app was built for the service as it is or as it was.
@Suite struct TypedCallOrderTests {
    enum Family: CaseIterable, Sendable { case online, cloudSync, offline }

    enum Step: CaseIterable, Sendable { case construct, register, open, refresh }

    /// Every order of the steps.
    static let orders: [[Step]] = permutations(Step.allCases)

    private static func permutations(_ steps: [Step]) -> [[Step]] {
        guard !steps.isEmpty else { return [[]] }
        return steps.flatMap { first in
            permutations(steps.filter { $0 != first }).map { [first] + $0 }
        }
    }

    @Test(arguments: Family.allCases, SchoolClasses.Version.allCases)
    func everyOrderGivesTypedEntities(
        _ family: Family, _ version: SchoolClasses.Version
    ) async throws {
        try await SchoolService.run { school in
            for (number, order) in Self.orders.enumerated() {
                let place = try TypedPlace(school, family, version, number)
                for step in order { try place.take(step) }
                try place.check("\(order)", id: 100 + number)
                try place.close()
            }
        }
    }

    @Test(arguments: [Family.cloudSync, .offline], SchoolClasses.Version.allCases)
    func aStoreOpenedAgainGivesTypedEntities(
        _ family: Family, _ version: SchoolClasses.Version
    ) async throws {
        try await SchoolService.run { school in
            let first = try TypedPlace(school, family, version, 0)
            try first.take(.open)
            try first.close()
            for (number, order) in Self.orders.enumerated() {
                let place = try TypedPlace(school, family, version, 0)
                for step in order { try place.take(step) }
                try place.check("\(order)", id: 100 + number)
                try place.close()
            }
        }
    }

    @Test(arguments: [Family.cloudSync, .offline])
    func openingExtendsTheDocumentOfTheApp(_ family: Family) async throws {
        try await SchoolService.run { school in
            let place = try TypedPlace(school, family, .same, 0)
            try place.take(.construct)
            let document = place.classes.document
            let type = place.classes.students.entityType
            try place.take(.open)
            #expect(place.provider.metadata === document)
            #expect(document.entitySet(withName: "Students").entityType === type)
            guard family == .offline else { return }
            #expect(document.entitySets.keys().toArray().contains("ErrorArchive"))
            let log = try place.service.fetchEventLog()
            #expect(!log.isEmpty)
            try place.close()
        }
    }

    /// The app was built for a service whose students had a nickname and no teacher.
    @Test(arguments: [Family.cloudSync, .offline])
    func aPropertyThatTheServiceHasRemovedReadsAsNull(_ family: Family) async throws {
        try await SchoolService.run { school in
            let place = try TypedPlace(school, family, .other, 0)
            for step in [Step.construct, .register, .open] { try place.take(step) }
            let student = try place.student(2)
            #expect(student.name == "Emil")
            #expect(student.nickname == nil)
            student.nickname = "E"
            student.name = "Emil the second"
            try place.service.updateEntity(student)
            #expect(try place.kept("NAME", 2) == "Emil the second")
            try place.close()
        }
    }
}

/// What generated code keeps of a service: the document that the app was built with and its classes.
final class SchoolClasses: Sendable {
    enum Version: CaseIterable, Sendable {
        /// As the service is.
        case same
        /// As it was before other types and properties were put in front.
        case older
        /// With a property that the service has no more.
        case other

        static var allCases: [Version] { [.same, .older] }
    }

    private let current: Mutex<CSDLDocument>

    var document: CSDLDocument {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    var students: EntitySet { document.entitySet(withName: "Students") }
    var name: Property { students.entityType.property(withName: "NAME") }

    init(_ graph: MetadataGraph, _ version: Version) throws {
        let parser = CSDLParser()
        guard version != .same, let set = graph.entitySet(named: "Students").map({ graph[$0] }),
            let id = graph[set.type].properties.first(where: { $0.name == "ID" })?.type.primitive
        else {
            current = Mutex(try parser.parse(CSDLWriter.xml(graph), url: "school"))
            return
        }
        let nickname = version == .other ? #"<Property Name="NICKNAME" Type="Edm.String"/>"# : ""
        let text = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
            <edmx:DataServices><Schema Namespace="\(graph[set.type].namespace)"
            xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="\(graph[set.type].name)"><Key><PropertyRef Name="ID"/></Key>
            \(nickname)<Property Name="NAME" Type="Edm.String"/>
            <Property Name="ID" Type="Edm.\(id.name)" Nullable="false"/></EntityType>
            <EntityContainer Name="Container"><EntitySet Name="Students"
            EntityType="\(graph[set.type].qualifiedName)"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        current = Mutex(try parser.parse(text, url: "school"))
    }

    func register() {
        let type = students.entityType
        type.registerFactory(
            ObjectFactory.with(create: { [self] in Student(self, withDefaults: false) }))
    }
}

final class Student: EntityValue, @unchecked Sendable {
    private let classes: SchoolClasses?

    init(_ classes: SchoolClasses, withDefaults: Bool = true) {
        self.classes = classes
        super.init(withDefaults: withDefaults, type: classes.students.entityType)
    }

    required init(from decoder: any Decoder) throws {
        classes = nil
        try super.init(from: decoder)
    }

    private func property(_ name: String) -> Property {
        guard let classes else { return entityType.property(withName: name) }
        return classes.students.entityType.property(withName: name)
    }

    var id: Int {
        get { Int((optionalValue(for: property("ID")) as? LongValue)?.value ?? 0) }
        set { property("ID").setLongValue(in: self, to: Int64(newValue)) }
    }
    var name: String? {
        get { StringValue.optional(optionalValue(for: property("NAME"))) }
        set { setOptionalValue(for: property("NAME"), to: StringValue.of(optional: newValue)) }
    }
    var nickname: String? {
        get { StringValue.optional(optionalValue(for: property("NICKNAME"))) }
        set {
            setOptionalValue(for: property("NICKNAME"), to: StringValue.of(optional: newValue))
        }
    }
}

/// A provider of one family over a school, and the classes of an app for it.
final class TypedPlace {
    let school: SchoolService
    let family: TypedCallOrderTests.Family
    let classes: SchoolClasses
    let provider: any DataServiceProvider
    let service: DataService
    private let storePath: String

    init(
        _ school: SchoolService, _ family: TypedCallOrderTests.Family,
        _ version: SchoolClasses.Version, _ number: Int
    ) throws {
        self.school = school
        self.family = family
        classes = try SchoolClasses(school.service.graph, version)
        storePath = school.folder.appendingPathComponent("typed\(number).db").path
        let online = OnlineODataProvider(
            serviceName: "School", serviceRoot: school.url.absoluteString)
        switch family {
        case .online: provider = online
        case .cloudSync:
            provider = CloudSyncProvider(
                onlineProvider: online,
                offlineStore: SQLDatabaseProvider(
                    serviceName: "School", databaseURL: "sqlite:" + storePath))
        case .offline:
            provider = try school.provider(
                [("StudentsQuery", "Students")],
                parameters: school.parameters(name: "typed\(number)"))
        }
        service = DataService(provider: provider)
    }

    func take(_ step: TypedCallOrderTests.Step) throws {
        switch step {
        case .construct:
            provider.metadata = classes.document
            ProxyInternal.setMergeAction(provider: provider) { [classes, provider] in
                classes.document = provider.metadata
            }
        case .register: classes.register()
        case .refresh: try service.refreshMetadata()
        case .open:
            if let sync = provider as? CloudSyncProvider {
                try sync.open()
                try sync.download()
            } else if let offline = provider as? OfflineODataProvider {
                if let error = SchoolService.wait({ offline.open(completionHandler: $0) }) {
                    throw error
                }
            } else {
                try service.loadMetadata()
            }
        }
    }

    func close() throws {
        if let sync = provider as? CloudSyncProvider { try sync.close() }
        if let offline = provider as? OfflineODataProvider { try offline.close() }
    }

    func student(_ id: Int) throws -> Student {
        let key = EntityKey().with(name: "ID", value: LongValue.of(Int64(id)))
        let query = DataQuery().from(classes.students).withKey(key)
        return try #require(try service.executeQuery(query).requiredEntity() as? Student)
    }

    /// Reads a list and an entity, and writes one: each of the app's class, with the stored values.
    func check(_ order: String, id: Int) throws {
        let query = DataQuery().from(classes.students)
            .orderBy(classes.students.entityType.property(withName: "ID")).top(4)
        let found = try service.executeQuery(query).entityList().toArray()
        #expect(
            found.map { ($0 as? Student)?.name } == ["Dora", "Emil", "Fritz", "Gus"], "\(order)")
        #expect(found.map { ($0 as? Student)?.id } == [1, 2, 3, 4], "\(order)")
        #expect(try student(3).name == "Fritz", "\(order)")
        let new = Student(classes)
        new.id = id
        new.name = "New \(id)"
        new.entitySet = classes.students
        try service.createEntity(new)
        #expect(try kept("NAME", id) == "New \(id)", "\(order)")
        new.name = "Changed \(id)"
        try service.updateEntity(new)
        #expect(try kept("NAME", id) == "Changed \(id)", "\(order)")
    }

    /// What the service, or else the store, keeps of a student, read past all code of ours.
    func kept(_ column: String, _ id: Int) throws -> String? {
        let path =
            family == .online ? school.folder.appendingPathComponent("school.db").path : storePath
        return try DatabaseQueue(path: path).read {
            try String.fetchOne(
                $0, sql: "SELECT \(column) FROM Students WHERE ID = ?", arguments: [id])
        }
    }
}
