import ODataModel

/// What a ``ResourcePath`` addresses in a model (URL Conventions 4.01, section 4).
package struct ResolvedResource: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case serviceDocument
        case metadata
        case batch
        case all
        case crossjoin([EntitySetID])
        /// `$entity?$id=…`, whose entity is known only from the option.
        case entityReference
        /// A collection of entities: a set, a to-many navigation property, or what an operation returns.
        case entities
        case entity
        /// A structural property or such a result of an operation; ``ResolvedResource/type`` says of which shape.
        case value
        /// The media stream of an entity, or a stream property.
        case stream
        /// The result of an operation that returns nothing.
        case nothing
    }

    /// What is asked of the resource.
    package enum Form: Sendable, Hashable {
        case whole
        /// `/$count`
        case count
        /// `/$value`
        case rawValue
        /// `/$ref`, and `/$links/…` of V2.
        case reference
    }

    package enum Step: Sendable, Hashable {
        /// A navigation property by its slot in `source`, with the key that follows it.
        case navigation(source: StructureID, slot: Int, key: [Scalar]?, target: EntitySetID?)
        case property(source: StructureID, slot: Int)
        /// A property that an open type does not declare.
        case dynamic(String)
        case cast(StructureID)
        /// An operation by its position in ``MetadataGraph/operations``.
        case operation(index: Int, arguments: [NamedArgument])
        /// A key behind a cast, an operation or a filter.
        case key([Scalar])
        case filter(Expression)
        case each
    }

    /// The set or singleton that the path begins with.
    package var entitySet: EntitySetID?
    /// The key behind the set, in the order of the type's key.
    package var key: [Scalar]?
    package var steps: [Step] = []
    package var kind: Kind
    package var form = Form.whole
    /// The type of the resource (before ``form``); nil where there is none.
    package var type: TypeReference?
    /// The set that the entities of the result belong to; nil when contained or unknown.
    package var targetSet: EntitySetID?

    package init(kind: Kind) {
        self.kind = kind
    }

    /// True when the path is an entity set, a singleton or one of its entities and nothing more.
    package var isDirect: Bool { entitySet != nil && steps.isEmpty && form == .whole }

    /// True for `$all` and `$crossjoin(…)`, whose instances no declared type describes.
    package var isVirtualCollection: Bool {
        switch kind {
        case .all, .crossjoin: true
        default: false
        }
    }

    /// The structured type of the entities or of the complex value.
    package var structure: StructureID? { type?.structure }
}
