import ODataSyncPlan

/// What a local change left of an entity.
package struct LocalOutcome {
    package let object: ObjectIdentifier
    package let row: RowReference
    /// Nil where the row is no longer in view.
    package let state: RowState?
}
