import ODataModel
import ODataQuery
import ODataSQL

/// What one request asks of the service that is mirrored, and which row here it is about.
struct Passage {
    var change: OriginChange
    var table: TableMapping
    /// The key of the row; nil for one that is made and whose key the client leaves to the other service.
    var key: [Scalar]?
    /// What the client has written, in the model that is offered; nil for deletions and links.
    var value: StructureValue?
    /// What the path leads to.
    var target: RowTarget
    var kind: Kind
    /// The client names the state that the change was made for.
    var isConditional = false

    enum Kind {
        case creation, update, property, deletion
        /// A link, which the same request makes in the rows here.
        case link
    }

    /// True where a look at the entity tells whether the change was made.
    var isTold: Bool {
        switch kind {
        case .creation: key != nil
        case .update, .property, .deletion: true
        case .link: false
        }
    }

    var takesKeyOfOrigin: Bool { kind == .creation && key == nil }
}
