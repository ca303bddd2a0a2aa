// odata-generate: Depot. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// The action `D.Scrap`, for `OfflineStore.call`.
public nonisolated struct Scrap: RemoteOperation {
    /// By which the service finds it.
    public static let name = "D.Scrap"
    /// What it is called on.
    public let target: OperationTarget
    /// `reason`.
    public var reason: String

    /// A call with these parameters.
    public init(on target: OperationTarget, reason: String) {
        self.target = target
        self.reason = reason
    }

    /// Says what the parameters are.
    public func write(to arguments: inout Values) {
        arguments.set("reason", reason)
    }

    /// Reads what the service answered.
    public static func result(_ answer: OperationAnswer) throws(ODataError) -> Bool {
        try answer.value()
    }
}
