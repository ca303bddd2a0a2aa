import ODataClasses
import ODataModel
import ODataQuery

/// A service with a provider of a known class, whose completion handlers take a value and an error.
open class LegacyDataService<Provider>: LegacyServiceCalls, @unchecked Sendable
where Provider: DataServiceProvider {
    // As its base class says; the provider is constant.

    /// The provider behind the service.
    public final let provider: Provider

    /// Creates a service over a provider.
    public init(provider: Provider) {
        self.provider = provider
        super.init(anyProvider: provider)
    }
}

/// A service over a provider of any class, whose completion handlers take a value and an error.
open class LegacyAnyDataService: LegacyServiceCalls, @unchecked Sendable {
    // As its base class says.

    /// Creates a service over a provider.
    public init(provider: any DataServiceProvider) {
        super.init(anyProvider: provider)
    }

    /// The provider behind the service.
    open var provider: any DataServiceProvider { anyProvider }
}

/// The name that ``LegacyAnyDataService`` had before.
@available(*, deprecated, renamed: "LegacyAnyDataService")
public typealias AnyDataService = LegacyAnyDataService
