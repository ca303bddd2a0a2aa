// Who imports the offline classes has the rest of the library with them, as existing code expects.
@_exported public import SAPOData
