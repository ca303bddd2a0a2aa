import ODataModel
import ODataText
import Synchronization

/// The metadata of a service: its types, entity sets and operations (CSDL 4.01).
///
/// Lookups return the same object each time. A document does not change after it was made, apart from the settings
/// that apps make on it and from sets that an offline store adds, which locks guard; it is shared freely between threads.
open class CSDLDocument: ObjectBase, @unchecked Sendable {
    private final let current: Mutex<MetadataModel>
    private final let settings: Mutex<Settings>

    private struct Settings: Sendable {
        var originalText: String?
        var resolvedText: String?
        var proxyVersion: String?
        var hasGeneratedProxies = false
        var canChangeAnything = false
        var canRemoveAnything = false
        var hasOpenEnumerations = false
        var owners: [ObjectBase] = []
    }

    /// Wraps a frozen graph.
    package init(graph: MetadataGraph, originalText: String? = nil, resolvedText: String? = nil) {
        current = Mutex(MetadataModel(graph))
        settings = Mutex(Settings(originalText: originalText, resolvedText: resolvedText))
        super.init()
    }

    /// The objects of the document's elements.
    package final var model: MetadataModel { current.withLock { $0 } }

    /// The frozen graph that all layers read.
    package final var graph: MetadataGraph { model.graph }

    /// What the document says itself, without what ``extend(_:)`` has added.
    package final var declared: MetadataGraph { model.root.graph }

    /// The classes of the app for the types.
    package final var classes: ClassRegistry { model.classes }

    /// Adds elements behind those of the document, whose objects stay what they are.
    ///
    /// - Parameter extended: The document's graph with the additions; nil when it has them already.
    package final func extend(
        _ extended: (MetadataGraph) throws -> MetadataGraph?
    ) rethrows {
        try current.withLock { model in
            guard let graph = try extended(model.graph) else { return }
            model = MetadataModel(graph, extending: model)
        }
    }

    /// The object for a structured type of ``graph``.
    package final subscript(id: StructureID) -> StructureType { model[id] }

    /// The object for an enumeration type of ``graph``.
    package final subscript(id: EnumerationID) -> EnumType { model[id] }

    /// The object for an entity set or singleton of ``graph``.
    package final subscript(id: EntitySetID) -> EntitySet { model[id] }

    /// The entity set or singleton with this name; nil when there is none.
    package final func entitySet(named name: String) -> EntitySet? {
        graph.entitySet(named: name).map { model[$0] }
    }

    /// The structured type with this qualified name; nil when there is none.
    package final func structureType(named name: String) -> StructureType? {
        graph.structure(named: name).map { model[$0] }
    }

    /// The protocol version as a number: 100 to 401.
    open var versionCode: Int { graph.version.rawValue }

    /// The protocol version as text: `1.0` to `4.01`.
    open var versionText: String {
        switch graph.version {
        case .v1: "1.0"
        case .v2: "2.0"
        case .v3: "3.0"
        case .v4: "4.0"
        case .v401: "4.01"
        }
    }

    /// The text that the document was parsed from, where the parser was asked to keep it.
    open var originalText: String? { settings.withLock { $0.originalText } }

    /// The text after expansion, where the parser was asked to keep it.
    open var resolvedText: String? { settings.withLock { $0.resolvedText } }

    /// The version of the generator that wrote the proxy classes in use.
    open var proxyVersion: String? {
        get { settings.withLock { $0.proxyVersion } }
        set { settings.withLock { $0.proxyVersion = newValue } }
    }

    /// True when generated proxy classes registered themselves with the document.
    open var hasGeneratedProxies: Bool {
        get { settings.withLock { $0.hasGeneratedProxies } }
        set { settings.withLock { $0.hasGeneratedProxies = newValue } }
    }

    /// Whether a refresh accepts incompatible changes.
    open var canChangeAnything: Bool {
        get { settings.withLock { $0.canChangeAnything } }
        set { settings.withLock { $0.canChangeAnything = newValue } }
    }

    /// Whether a refresh accepts removals.
    open var canRemoveAnything: Bool {
        get { settings.withLock { $0.canRemoveAnything } }
        set { settings.withLock { $0.canRemoveAnything = newValue } }
    }

    /// Whether values of enumeration types may lie outside the declared members.
    open var hasOpenEnumerations: Bool {
        get { settings.withLock { $0.hasOpenEnumerations } }
        set { settings.withLock { $0.hasOpenEnumerations = newValue } }
    }

    /// True when the service says of any entity set that it tracks changes.
    open var trackChanges: Bool {
        model.graph.entitySets.contains { $0.tracksChanges ?? false }
    }

    /// Annotations whose target keeps none of its own, such as a path through a set, by that path.
    open var pathAnnotations: PathAnnotationsMap {
        PathAnnotationsMap(
            entries: model.graph.targetedAnnotations.map { ($0.target, .of($0.annotations, model)) }
        )
    }

    /// The objects that registered themselves as users of the document.
    open func owners() -> [ObjectBase] { settings.withLock { $0.owners } }

    /// Registers a user of the document.
    open func addOwner(_ owner: ObjectBase) {
        settings.withLock { settings in
            if !settings.owners.contains(where: { $0 === owner }) { settings.owners.append(owner) }
        }
    }

    /// Takes back a registration.
    open func removeOwner(_ owner: ObjectBase) {
        settings.withLock { $0.owners.removeAll { $0 === owner } }
    }

    /// Keeps the document for the life of the process; returns the document.
    @discardableResult
    open func immortalize() -> CSDLDocument { self }
}

extension CSDLDocument {
    /// Key of a `Bool` in `Encoder.userInfo`: true to write decimals of entity and complex values as JSON numbers, which
    /// `JSONDecoder` reads as `Decimal` or `Double`. Without it they are text, which keeps all digits and the scale.
    ///
    /// ```swift
    /// encoder.userInfo[CSDLDocument.decimalsAsNumbersKey] = true
    /// ```
    public static let decimalsAsNumbersKey = key("OData.decimalsAsNumbers")

    private static func key(_ name: String) -> CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: name) else {
            preconditionFailure("A coding key can be made of every text.")
        }
        return key
    }

    /// Key of the document in `Decoder.userInfo`, for decoding entity and complex values.
    public static let csdlInfoKey = key("OData.CSDLDocument")
}
