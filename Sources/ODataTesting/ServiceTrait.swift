#if !Service
    #error("ODataTesting needs the package trait Service, in the traits of the dependency.")
#endif
