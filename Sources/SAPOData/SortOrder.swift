public import ODataClasses

/// The direction of a sort item. Foundation, which this module exports, has a type of this name, too: what the module declares
/// itself hides that one, so that `SAPOData.SortOrder` names ours.
public typealias SortOrder = ODataClasses.SortOrder
