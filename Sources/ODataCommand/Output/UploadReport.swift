import ODataModel
import ODataSync
import ODataSyncPlan
import ODataText

/// What an upload did beside sending: what policies have overwritten, and where conflicts cannot be seen.
struct UploadReport {
    private let progress: UploadProgress
    private let graph: MetadataGraph

    init(_ progress: UploadProgress, _ graph: MetadataGraph) {
        self.progress = progress
        self.graph = graph
    }

    /// Each overwriting with what was there before and after, then the sets without entity tags, and those that only
    /// the app can decide about.
    var lines: [String] {
        progress.overwrites.map(line)
            + progress.unseenConflicts.map {
                "\($0): its rows have no entity tags, so that changes of others cannot be seen and are"
                    + " overwritten; see --compare-before-write"
            }
            + progress.undecidedSets.map {
                "\($0): a function of its app decides conflicts, which stay listed here; see"
                    + " --on-conflict"
            } + progress.undecidedConflicts
    }

    /// The overwritings as JSON.
    var overwrites: [JSONValue] {
        progress.overwrites.map { overwrite in
            let (before, after) = overwrite.difference(in: graph)
            let json = ResultJSON(graph: graph)
            return .object(
                JSONObject([
                    .init(name: "entity", value: .string(overwrite.name(in: graph))),
                    .init(name: "policy", value: .string(overwrite.policy)),
                    .init(name: "overwritten", value: .string(overwrite.side.rawValue)),
                    .init(name: "before", value: before.map(json.structure) ?? .null),
                    .init(name: "after", value: after.map(json.structure) ?? .null),
                ]))
        }
    }

    var unseenConflicts: [String] { progress.unseenConflicts }
    var undecidedSets: [String] { progress.undecidedSets }
    var undecidedConflicts: [String] { progress.undecidedConflicts }

    private func line(_ overwrite: Overwrite) -> String {
        let (before, after) = overwrite.difference(in: graph)
        let json = ResultJSON(graph: graph)
        func text(_ values: StructureValue?) -> String {
            values.map { json.structure($0).text } ?? "nothing"
        }
        let side = overwrite.side == .service ? "the service's" : "the local"
        return "\(overwrite.policy): \(side) \(overwrite.name(in: graph)) was overwritten:"
            + " \(text(before)) became \(text(after))"
    }
}
