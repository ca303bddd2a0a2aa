import ODataClasses
import SAPOData

/// How a schedule ends: what waits is sent, and who is asked looks at the service and settles what is listed.
struct FieldEnding {
    private let app: FieldApp
    private let service: FieldService

    init(_ app: FieldApp, _ service: FieldService) {
        self.app = app
        self.service = service
    }

    /// - Returns: what does not end.
    func drain() throws -> [String] {
        for round in 0..<8 {
            do {
                // An opening for another user that failed has left it closed.
                if app.changesUsers { try app.provider.open() }
                if round > 0 || !app.queued().isEmpty || !app.failed().isEmpty {
                    try app.service.upload()
                    for request in app.failed() { try settle(request, round) }
                }
                let goesOn = app.memory.isDownloadOpen
                try app.download()
                // What an earlier one has read may have changed since.
                if goesOn { try app.download() }
            } catch {
                // What waited in a form that is gone is given up, and asked for again.
                if round < 2 { continue }
                return ["client \(app.client) does not end: \(error)"]
            }
            if app.queued().isEmpty, app.failed().isEmpty { return [] }
        }
        return app.failed().map {
            "client \(app.client): \($0.toString()) stays failed: \($0.httpStatus ?? 0)"
                + " \($0.errorMessage ?? "without a reason")"
        } + app.queued().map { "client \(app.client): \($0.toString()) stays queued" }
    }

    func settle(_ request: PendingRequest, _ round: Int) throws {
        if request.errorMessage == nil {
            throw UsageError.withMessage("\(request.toString()) is listed without a reason")
        }
        guard round < 4 else { return try app.give(up: request) }
        if request.isUnknown {
            let isDone = isCarriedOut(request)
            app.tell("\(request.toString()) is " + (isDone ? "confirmed" : "sent again"))
            guard isDone else { return try insist(request) }
            return try app.said { try request.confirm(as: made(by: request)) }
        }
        switch request.httpStatus {
        case nil: break
        case 412?:
            app.tell("\(request.toString()) is sent over what others have")
            try insist(request)
        default: try app.give(up: request)
        }
    }

    private func insist(_ request: PendingRequest) throws {
        try app.insist(request, service.name(at: request.requestURL))
    }

    /// The entity that a creation made, by its key.
    private func made(by request: PendingRequest) -> EntityValue? {
        guard request.httpMethod == "POST", let body = request.requestBody,
            let effect = service.effects.first(where: {
                $0.client == app.client && $0.kind == .create && body.contains($0.after)
            }),
            let row = service.rows[effect.set]?.values.first(where: { $0.number == effect.row }),
            let set = app.entitySet(effect.set)
        else { return nil }
        let entity = EntityValue.ofType(set.entityType).inSet(set)
        let key = set.entityType.property(withName: "Key")
        switch row.key {
        case .number(let number): key.setIntValue(in: entity, to: number)
        case .text(let text): key.setStringValue(in: entity, to: text)
        }
        return entity
    }

    /// What only the service can know.
    private func isCarriedOut(_ request: PendingRequest) -> Bool {
        guard let body = request.requestBody else {
            app.loosen(request)
            return !service.isThere(request.requestURL)
        }
        return service.effects.contains {
            $0.client == app.client && body.contains($0.after) && $0.after.hasPrefix("t")
        }
    }
}
