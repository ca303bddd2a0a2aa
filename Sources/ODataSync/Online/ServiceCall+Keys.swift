import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText

/// How keys stand in the paths of a service is met by the first read by key (URL Conventions 4.01, section 4.3.6): a service
/// may know parentheses, segments, or both.
extension ServiceCall {
    /// Executes a query; see ``execute(_:)``.
    package func execute(_ input: QueryInput) throws -> QueryAnswer {
        try meetingKeys {
            let plan = try $0.plan(input)
            return ($0, plan.namesKey, { call in try call.execute(plan) })
        }
    }

    /// The present state of one entity by its URL.
    package func load(
        _ input: QueryInput, type: StructureID, set: EntitySetID?
    ) throws -> StructureValue {
        try meetingKeys {
            let plan = try $0.plan(input)
            return ($0, plan.namesKey, { call in try call.load(plan, type: type, set: set) })
        }
    }

    /// Runs a read; where nobody knows the style of keys and the service does not find what is read, once more in the other.
    private func meetingKeys<Result>(
        _ prepare: (ServiceCall) throws -> (
            ServiceCall, namesKey: Bool, read: (ServiceCall) throws -> Result
        )
    ) throws -> Result {
        let (call, namesKey, read) = try prepare(self)
        guard namesKey, settings.keys == nil else { return try read(call) }
        do {
            let result = try read(call)
            meet(.parentheses)
            return result
        } catch let error as ODataError where Self.mayBeAboutKeys(error) {
            var other = self
            other.settings.keys = .segments
            let (otherCall, _, readOther) = try prepare(other)
            guard let result = try? readOther(otherCall) else { throw error }
            // Who does not understand need not be the service: one that reads both is asked in parentheses.
            do {
                let again = try read(call)
                meet(.parentheses)
                return again
            } catch let again as ODataError where Self.mayBeAboutKeys(again) {
                meet(.segments)
            } catch {
                // Nothing is learned from a question without an answer.
            }
            return result
        }
    }

    static func mayBeAboutKeys(_ error: ODataError) -> Bool {
        error.code == .service && KeyStyle.isDoubted(by: error.status)
    }

    private func meet(_ style: KeyStyle) {
        learned?.learn { $0.learn(keys: style).map { [$0] } ?? [] }
    }
}
