// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import SAPOData

#if !LegacyGenericDataService
    // With the package's trait of this name, SAPOData itself calls the generic service so.
    public typealias DataService<Provider: DataServiceProvider> = LegacyDataService<Provider>
#endif
