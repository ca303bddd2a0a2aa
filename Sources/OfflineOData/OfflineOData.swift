@_exported public import OData
