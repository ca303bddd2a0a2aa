#if !Service
    #error("ODataServer needs the package trait Service, in the traits of the dependency.")
#endif
