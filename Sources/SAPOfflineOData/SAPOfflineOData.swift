// The name under which existing code imports the offline part of this library.
@_exported public import OfflineOData
