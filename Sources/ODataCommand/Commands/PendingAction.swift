import ArgumentParser
import Foundation
import SAPOData
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText

/// What `odata queue` and `odata errors` can do with requests.
enum PendingAction: String, ExpressibleByArgument, CaseIterable {
    case list, show, cancel, undo, retry, confirm, export
}

/// Carries out an action on the queued or failed requests of a store.
struct PendingRequests {
    let session: StoreSession
    let console: Console
    let isFailed: Bool

    /// - Parameter entity: the entity that a confirmed create made.
    func run(_ action: PendingAction, _ argument: String?, entity: String? = nil) throws {
        switch action {
        case .list: RequestPrinter(console: console).print(try requests())
        case .export: RequestPrinter(console: console).export(try requests())
        case .show:
            let request = try request(argument)
            let states = try EntityStates(of: request, session, console)
            RequestPrinter(console: console).show(request, states)
            if let refusal = states.refusal { throw refusal }
        case .cancel:
            let request = try request(argument)
            try CommandError.operation { try request.cancel() }
            done("cancelled", argument)
        case .retry:
            let request = try request(argument)
            try CommandError.operation { try request.retry() }
            done("queued", argument)
        case .confirm:
            let request = try request(argument)
            let made = try entity.map { try session.namedEntity($0) }
            try CommandError.operation { try request.confirm(as: made) }
            done("confirmed", argument)
        case .undo:
            guard let argument else {
                throw CommandError.badInput("undo: expected an entity such as 'Orders(1)'.")
            }
            let entity = try session.entity(argument)
            try CommandError.operation {
                try session.provider.undoPendingChanges(for: EntityValueList.fromArray([entity]))
            }
            done("undone", argument)
        }
    }

    private func requests() throws -> [PendingRequest] {
        let list =
            isFailed
            ? try session.provider.failedRequests(matching: nil, headers: nil, options: nil)
            : try session.provider.queuedRequests(matching: nil, headers: nil, options: nil)
        return list.toArray()
    }

    private func request(_ argument: String?) throws -> PendingRequest {
        guard let argument, let id = Int64(argument) else {
            throw CommandError.badInput("Expected the number of a request.")
        }
        guard let request = try requests().first(where: { $0.requestID == id }) else {
            throw CommandError.failed("request \(id): no such request.")
        }
        return request
    }

    private func done(_ what: String, _ argument: String?) {
        guard console.isJSON else { return console.print("\(what) \(argument ?? "")") }
        console.print(
            JSONValue.object(
                JSONObject([.init(name: what, value: .string(argument ?? ""))])
            ).text)
    }
}
