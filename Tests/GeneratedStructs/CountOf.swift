// odata-generate: Depot. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// The function `CountOf`, for `OfflineStore.call`.
public nonisolated struct CountOf: RemoteOperation {
    /// By which the service finds it.
    public static let name = "CountOf"
    /// `kind`.
    public var kind: Kind

    /// A call with these parameters.
    public init(kind: Kind) {
        self.kind = kind
    }

    /// Says what the parameters are.
    public func write(to arguments: inout Values) {
        arguments.set("kind", kind)
    }

    /// Reads what the service answered.
    public static func result(_ answer: OperationAnswer) throws(ODataError) -> Int {
        try answer.value()
    }
}
