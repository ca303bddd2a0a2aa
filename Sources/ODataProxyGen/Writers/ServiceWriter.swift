/// The service class: the provider's metadata, static entity sets, and a call for each set and operation.
///
/// Where there are many calls, they stand in base classes of their own, a file for each: in extensions, apps could not
/// override them.
struct ServiceWriter {
    let model: ProxyModel
    let parts: ServiceParts

    private var isLegacy: Bool { model.options.family == .legacy }
    /// Offline services have a second instance whose calls go straight to the service.
    private var hasCompanion: Bool { model.options.provider == .offline && !isLegacy }

    private var generic: String { isLegacy ? "<Provider: DataServiceProvider>" : "" }
    private var libraryClass: String {
        if isLegacy { return "LegacyDataService<Provider>" }
        let isAsync = model.options.family == .async
        let kind =
            switch model.options.provider {
            // `DataService` is a generic class in builds with the trait LegacyGenericDataService.
            case .any: isAsync ? "" : "Base"
            case .online: "Online"
            case .offline: "Offline"
            }
        return kind + "DataService" + (isAsync ? "Async" : "")
    }

    private var providerType: String {
        if isLegacy { return "Provider" }
        switch model.options.provider {
        case .any: return "any DataServiceProvider"
        case .online: return "OnlineODataProvider"
        case .offline: return "any DataSyncProvider"
        }
    }

    func write(_ writer: inout SourceWriter) {
        let base = parts.isDivided ? baseClass(parts.bodies.count) : libraryClass
        writer.line("/// The service, with a call for each entity set and operation.")
        writer.block(
            "\(model.open)class \(model.service)\(generic): \(base), @unchecked Sendable"
        ) { writer in
            if hasCompanion {
                writer.line("// Set once, while the service is made.")
                writer.line("private final var companion: \(model.service)?")
                writer.line()
            }
            writeInitialiser(&writer)
            writer.line()
            writer.line("/// Held where the classes exchange their metadata.")
            writer.line(
                "\(model.open)override var metadataLock: MetadataLock { \(model.registry).lock }")
            if hasCompanion {
                writer.line()
                writer.line("/// The same service, asked past the store.")
                writer.line(
                    "\(model.visible)final var online: \(model.service) { companion ?? self }")
            }
            if !isLegacy { for set in model.sets { write(set, &writer) } }
            if !parts.isDivided, let calls = parts.bodies.first { writer.add(calls) }
        }
    }

    /// The class with a part of the calls, counted from 1.
    func writePart(_ number: Int, _ writer: inout SourceWriter) {
        writer.line("/// Calls of `\(model.service)`, which derives from this.")
        writer.block(
            "\(model.open)class \(parts.name(number))\(generic): \(baseClass(number - 1)),"
                + " @unchecked Sendable"
        ) { $0.add(parts.bodies[number - 1]) }
    }

    private func baseClass(_ number: Int) -> String {
        number == 0 ? libraryClass : parts.name(number) + (isLegacy ? "<Provider>" : "")
    }

    private func writeInitialiser(_ writer: inout SourceWriter) {
        writer.line(
            "/// Creates a service over a provider, which takes the metadata of the classes.")
        writer.block("\(model.visible)override init(provider: \(providerType))") { writer in
            writer.line("super.init(provider: provider)")
            writer.line("provider.metadata = \(model.registry).document")
            writer.line("ProxyInternal.setCsdlFetcher(provider: provider, fetcher: nil)")
            writer.line(
                "ProxyInternal.setCsdlOptions(provider: provider, options: \(model.parser).options)"
            )
            // The closure of a generic class must not carry its type.
            let capture = isLegacy ? "service = self as BlockingDataService" : "service = self"
            writer.block(
                "ProxyInternal.setMergeAction(provider: provider) { [weak \(capture)] in", open: ""
            ) {
                $0.line("if let service { \(model.changes).merge(metadata: service.metadata) }")
            }
            guard hasCompanion else { return }
            writer.line(
                "guard !ProxyInternal.isOnlineSetupActive(provider: provider) else { return }")
            writer.line("ProxyInternal.onlineSetupStarting(provider: provider)")
            writer.line("let online = \(model.service)(provider: provider)")
            writer.line("ProxyInternal.enableOnlineMode(service: online)")
            writer.line("companion = online")
            writer.line("ProxyInternal.onlineSetupFinished(provider: provider)")
        }
    }

    private func write(_ set: ProxySet, _ writer: inout SourceWriter) {
        let place = "\(model.registry).\(set.space).\(set.member.code)"
        writer.line()
        writer.comment(
            "The \(set.isSingleton ? "singleton" : "entity set") `\(SwiftText.comment(set.name))`.",
            set.note)
        writer.block("\(model.open)class var \(set.member.code): EntitySet") {
            $0.line("get { \(place) }")
            $0.line("set(value) { \(place) = value }")
        }
    }
}

extension ProxySet {
    /// The namespace of the registry that has the set.
    var space: String { isSingleton ? "Singletons" : "EntitySets" }
}
