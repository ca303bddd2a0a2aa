// The trait of the same name (docs/migrating.md): code of older generations calls the service with a provider of a known
// class `DataService<Provider>`. What this module declares itself hides what it exports of others.
#if LegacyGenericDataService
    public import ODataProviders

    /// The name that ``LegacyDataService`` had before, in place of the class that is called so without the trait.
    public typealias DataService<Provider: DataServiceProvider> = LegacyDataService<Provider>
#endif
