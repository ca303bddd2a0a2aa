// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// The function `GetOrdersOf`, for `OfflineStore.call`.
public nonisolated struct GetOrdersOf: RemoteOperation {
    /// By which the service finds it.
    public static let name = "GetOrdersOf"
    /// `site`.
    public var site: Int

    /// A call with these parameters.
    public init(site: Int) {
        self.site = site
    }

    /// Says what the parameters are.
    public func write(to arguments: inout Values) {
        arguments.set("site", site)
    }

    /// Reads what the service answered.
    public static func result(_ answer: OperationAnswer) throws(ODataError) -> [WorkOrder] {
        try answer.entities()
    }
}
