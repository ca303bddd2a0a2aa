// The name under which existing code imports this library: one import brings the classes of data, queries and errors,
// the providers and services, sessions and logging. What is `package` in these modules stays out of sight.
@_exported public import ODataClasses
@_exported public import ODataProviders
@_exported public import SAPCommon
@_exported public import SAPFoundation
