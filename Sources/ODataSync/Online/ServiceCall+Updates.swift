import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWire

/// By which method a service takes updates is met by the first that it refuses for its method.
extension ServiceCall {
    /// Sends one step of a change; an update whose method the service does not know goes once more by another. A whole row is
    /// put only where the app has said so: what a call has of it may be a part.
    func meetingUpdates(
        _ step: ChangeStep, _ send: (ServiceCall) throws -> ResponseMessage?
    ) throws -> ResponseMessage? {
        guard case .update = step.request, let graph = step.graph, settings.updates == nil,
            settings.supportsPatch
        else { return try send(self) }
        do {
            return try send(self)
        } catch let error as ODataError {
            guard let refusal = error.underlying as? ServiceRefusal,
                let method = writer(graph).updateMethod.next(
                    afterStatus: refusal.status, allow: refusal.allowed), method != .put
            else { throw error }
            var other = self
            other.settings.updates = method
            do {
                let answer = try send(other)
                learned?.learn { $0.learn(updates: method).map { [$0] } ?? [] }
                return answer
            } catch let second as ODataError where second.underlying is ServiceRefusal {
                // Of a second one without an answer nobody knows what it did; a refusal says no more than the first.
                throw error
            }
        }
    }
}
