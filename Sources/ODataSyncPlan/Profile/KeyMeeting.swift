import ODataQuery

/// How keys stand in the paths of a service is met by what it answers to them (URL Conventions 4.01, section 4.3.6): it may
/// know parentheses, segments, or both, and parentheses are tried first.
extension KeyStyle {
    /// Statuses with which services answer paths that they do not understand.
    package static func isDoubted(by status: Int) -> Bool {
        [400, 404, 405, 501].contains(status)
    }
}

extension QueuedRequest {
    /// The rows whose keys its URL or its body names.
    package var namedRows: [RowReference] {
        var rows = operation == .create ? [] : [target]
        if let row = navigation?.row { rows.append(row) }
        return rows + (body?.boundRows ?? [])
    }
}
