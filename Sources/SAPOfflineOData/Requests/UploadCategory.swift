import ODataClasses
import ODataModel
import ODataSyncPlan

/// How an ``UploadCategory`` was made.
public enum UploadCategoryType: Sendable, Hashable {
    /// By the app's own text.
    case literal
    /// By an entity.
    case entityID
    /// By the entity that the request creates.
    case generatedID
}

/// Marks requests that `upload(categories:completionHandler:)` sends, with what they depend on.
open class UploadCategory: @unchecked Sendable {
    // Immutable.
    /// How the name was made.
    public final let type: UploadCategoryType
    /// The name; nil for one that the creation will give.
    public final let value: String?

    private init(_ type: UploadCategoryType, _ value: String?) {
        self.type = type
        self.value = value
    }

    /// A category of the app's own name.
    ///
    /// - Throws: ``OfflineODataError/invalidInput(code:message:)`` for text without a visible character.
    public convenience init(stringLiteral: String) throws {
        self.init(.literal, try RequestMark.checked(stringLiteral, "category"))
    }

    /// The category of an entity.
    ///
    /// - Throws: ``OfflineODataError/invalidInput(code:message:)`` for an entity that no store knows.
    public convenience init(_ entity: EntityValue) throws {
        self.init(.entityID, try RequestMark.of(entity))
    }

    /// The category of the entity that the request creates; later requests join it by naming that entity.
    public static func useGeneratedIDForUploadCategory() -> UploadCategory {
        UploadCategory(.generatedID, nil)
    }

    /// The upload group that stands for the category in the queue, apart from all names of groups that apps give; of a
    /// generated name, the part before what the creation gives.
    var groupName: String {
        (type == .literal ? CategoryGroup.named : CategoryGroup.ofEntity) + (value ?? "")
    }
}
