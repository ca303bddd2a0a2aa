// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// The function `GetOrderCount`, for `OfflineStore.call`.
public nonisolated struct GetOrderCount: RemoteOperation {
    /// By which the service finds it.
    public static let name = "GetOrderCount"
    /// `priority`.
    public var priority: Int?

    /// A call with these parameters.
    public init(priority: Int? = nil) {
        self.priority = priority
    }

    /// Says what the parameters are.
    public func write(to arguments: inout Values) {
        arguments.set("priority", ifPresent: priority)
    }

    /// Reads what the service answered.
    public static func result(_ answer: OperationAnswer) throws(ODataError) -> Int? {
        try answer.value()
    }
}
