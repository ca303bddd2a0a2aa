// The name under which existing code imports this library.
@_exported public import OData
