import ODataQuery
import ODataWire

/// What a read says of the answer it wants.
package struct ReadHeaders: Sendable, Hashable {
    /// The service speaks V2: one JSON, and Atom, in which alone some services write tombstones.
    package var isV2: Bool

    package init(isV2: Bool) { self.isV2 = isV2 }

    /// The headers of each page of a read, and of each part of a batch.
    package func fields(_ form: ReadForm, _ mode: ReadMode) -> HeaderFields {
        var fields = version
        fields["Accept"] = accept(form, mode)
        // Every page asks again, because some services give the delta link only then.
        if form.tracksChanges { fields["Prefer"] = "odata.track-changes" }
        return fields
    }

    /// The version headers alone, as a batch carries them.
    package var version: HeaderFields {
        isV2 ? ["MaxDataServiceVersion": "2.0"] : ["OData-MaxVersion": "4.01"]
    }

    /// The richest format that may come under the form, with what it falls back to: services that skip what they do not
    /// know need not be asked twice.
    private func accept(_ form: ReadForm, _ mode: ReadMode) -> String {
        if isV2 {
            if form.format == .atom { return "application/atom+xml" }
            return mode == .delta
                ? "application/atom+xml, application/json;q=0.5" : "application/json"
        }
        let parameters = "application/json;odata.metadata=minimal;odata.streaming=true"
        switch form.format {
        case .plain, .atom: return "application/json"
        // Pages that wait in the store before they count hold entities as objects.
        case .compact where mode == .first:
            return "\(CompactRows.mediaType), \(parameters);q=0.9, application/json;q=0.8"
        case .compact, .parameters: return "\(parameters), application/json;q=0.8"
        }
    }
}
