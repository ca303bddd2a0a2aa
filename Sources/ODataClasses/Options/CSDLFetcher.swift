import ODataModel
import ODataQuery

/// Decides about documents that metadata refers to, and brings their text.
open class CSDLFetcher: ObjectBase, @unchecked Sendable {
    // Without state of its own; subclasses say what guards theirs.

    /// Creates a fetcher that accepts nothing.
    public override init() { super.init() }

    /// True when the reference should be followed.
    open func accept(_ uri: String, _ namespace: String) -> Bool { false }

    /// True when the reference should be left aside without a report.
    open func ignore(_ uri: String, _ namespace: String) -> Bool { true }

    /// The text of a document.
    ///
    /// - Throws: when the text cannot be had; this class never has any.
    open func fetch(_ uri: String, _ namespace: String) throws -> String {
        throw CSDLError.cannotFetch(uri)
    }
}

/// A document that metadata refers to.
open class CsdlReference: ObjectBase, @unchecked Sendable {
    // Constant.

    /// Where the document is.
    public final let uri: String
    /// The namespaces taken from the document.
    public final let includes: StringList
    /// The version that is asked for (`Core.SchemaVersion`); nil where any will do.
    public final let version: String?

    package init(_ reference: MetadataGraph.Reference) {
        uri = reference.uri
        includes = StringList.fromArray(reference.includes.map(\.namespace))
        let stated = reference.annotations + reference.includes.flatMap(\.annotations)
        if case .string(let text)? = stated.first(term: "Org.OData.Core.V1.SchemaVersion")?.value {
            version = text
        } else {
            version = nil
        }
        super.init()
    }

    /// Where the document is.
    open override func toString() -> String { uri }
}

extension CSDLDocument {
    /// The documents that this one refers to; read only where a ``CSDLFetcher`` brought them.
    public var references: CsdlReferenceList {
        CsdlReferenceList.fromArray(graph.references.map { CsdlReference($0) })
    }
}

/// A list of references to documents.
open class CsdlReferenceList: MetadataList<CsdlReference>, @unchecked Sendable {}
