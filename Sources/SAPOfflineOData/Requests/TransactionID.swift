import ODataClasses
import ODataModel
import ODataQuery

/// How a ``TransactionID`` was made.
public enum TransactionIDType: Sendable, Hashable {
    /// By the app's own text.
    case literal
    /// By an entity.
    case entityID
    /// By the entity that the request creates.
    case generatedID
}

/// Names the transaction that a request belongs to, for ``OfflineODataParameters/enableTransactionBuilder``; without
/// that it is ignored.
open class TransactionID: @unchecked Sendable {
    // Immutable.
    /// How the name was made.
    public final let type: TransactionIDType
    /// The name; nil for one that the creation will give.
    public final let value: String?

    private init(_ type: TransactionIDType, _ value: String?) {
        self.type = type
        self.value = value
    }

    /// A transaction of the app's own name.
    ///
    /// - Throws: ``OfflineODataError/invalidInput(code:message:)`` for text without a visible character.
    public convenience init(stringLiteral: String) throws {
        self.init(.literal, try RequestMark.checked(stringLiteral, "transaction"))
    }

    /// The transaction of an entity, which other requests joined by the same entity or by its creation.
    ///
    /// - Throws: ``OfflineODataError/invalidInput(code:message:)`` for an entity that no store knows.
    public convenience init(_ entity: EntityValue) throws {
        self.init(.entityID, try RequestMark.of(entity))
    }

    /// The transaction of the entity that the request creates.
    public static func useGeneratedIDForTransaction() -> TransactionID {
        TransactionID(.generatedID, nil)
    }

    /// The name in the queue; texts of the app and entities never meet. Of a generated name, the part before what the
    /// creation gives.
    var queueName: String { (type == .literal ? "id:" : "of:") + (value ?? "") }
}

/// The texts behind transactions and categories.
enum RequestMark {
    static func checked(_ text: String, _ what: String) throws -> String {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw OfflineODataError.named(
                .invalidArgument, "Expected a name for the \(what), found blanks only.")
        }
        return text
    }

    static func of(_ entity: EntityValue) throws -> String {
        if let id = entity.localID { return "\(entity.entitySet.localName)/\(id)" }
        if let link = entity.control.readLink ?? entity.control.id { return link }
        throw OfflineODataError.named(
            .invalidArgument, "Expected an entity of the store, found a new one.")
    }
}
