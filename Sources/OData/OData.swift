// One import brings what apps use: the classes of data, queries and errors, the types of synchronisation, sessions and
// logging. What is `package` in these modules stays out of sight.
@_exported public import ODataModel
@_exported public import ODataQuery
@_exported public import ODataSyncPlan
@_exported public import ODataWire
@_exported public import SAPCommon
@_exported public import SAPFoundation
