import ODataText

/// A copy of a row that stays after the call that handed the row over.
package final class RetainedRow {
    /// Valid as long as the copy.
    package let row: IncomingRow
    private let bytes: UnsafeMutableRawPointer
    private let fields: UnsafeMutableBufferPointer<RowField>
    private let controls: UnsafeMutableBufferPointer<RowField>

    package init(_ other: IncomingRow) {
        let source = other.bytes(other.raw)
        bytes = .allocate(byteCount: max(source.count, 1), alignment: 8)
        if let start = source.baseAddress { bytes.copyMemory(from: start, byteCount: source.count) }
        fields = .allocate(capacity: other.fields.count)
        _ = fields.initialize(from: other.fields)
        controls = .allocate(capacity: other.controls.count)
        _ = controls.initialize(from: other.controls)
        row = IncomingRow(
            kind: other.kind, fields: UnsafeBufferPointer(fields),
            controls: UnsafeBufferPointer(controls), etag: other.etag,
            hasOtherControls: other.hasOtherControls, navigations: other.navigations,
            extras: other.extras, raw: other.raw,
            origin: UnsafeRawPointer(bytes) - other.raw.offset)
    }

    deinit {
        bytes.deallocate()
        fields.deallocate()
        controls.deallocate()
    }
}
