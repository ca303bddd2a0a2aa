// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// The action `CloseOrder`, for `OfflineStore.call`.
public nonisolated struct CloseOrder: RemoteOperation {
    /// By which the service finds it.
    public static let name = "CloseOrder"
    /// `id`.
    public var id: Int

    /// A call with these parameters.
    public init(id: Int) {
        self.id = id
    }

    /// Says what the parameters are.
    public func write(to arguments: inout Values) {
        arguments.set("id", id)
    }
}
