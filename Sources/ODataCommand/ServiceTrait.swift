#if !Service
    #error("ODataCommand needs the package trait Service, in the traits of the dependency.")
#endif
