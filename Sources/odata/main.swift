// The command lives in ODataCommand; this target only gives it its name.
