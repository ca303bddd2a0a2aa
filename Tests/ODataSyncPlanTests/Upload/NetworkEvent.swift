import ODataSyncPlan

/// What can happen to one exchange with the service, or beside all of them.
enum NetworkEvent: CaseIterable, Sendable {
    case passes
    // Nobody got it.
    case notSent, lostBefore
    // It had its effect, and the answer is not there, or is somebody else's.
    case lostAfter, cutBody, gateway502After, gateway500After, json504After, gateway404After
    // Somebody else answers in the service's place, and nothing is done.
    case portal, bare204, empty200, login401, redirect307, gateway400, gateway404, gateway502
    case gateway503
    // The service answers, and does nothing.
    case csrf403, throttled429, unavailable503, tooLarge413, service400, service412, service500
    case noBatch404, noBatch405, noBatch501
    /// The answer to a batch ends behind its first part.
    case firstPartOnly
    /// It arrives twice, and the second answer comes back.
    case duplicate
    /// A look is refused by the service, or answered by somebody else in this one place.
    case refusedLook
    // Somebody else writes the row that we write: what we write, something else, or its end.
    case othersUpdate, othersUpdateElsewhere, othersDelete
    /// What is on its way has not come to its end yet.
    case noneCame
    // The process ends; what it had begun to send has left nevertheless, or has not.
    case killed, killedAfter
    /// The app changes the row again while its change of before is on its way, or has no answer.
    case appWrites

    static let besideNetwork: [NetworkEvent] = [
        .othersUpdate, .othersUpdateElsewhere, .othersDelete, .appWrites,
    ]

    /// Whether it can happen to an attempt.
    func applies(to attempt: Attempt, of model: UploadModel) -> Bool {
        switch self {
        case .refusedLook, .noneCame, .killed, .killedAfter: false
        case .othersUpdate, .othersUpdateElsewhere, .othersDelete, .appWrites: false
        case .noBatch404, .noBatch405, .noBatch501, .firstPartOnly: attempt.isBatch
        // A precondition is one of a single request.
        case .service412: !attempt.isBatch
        // What is not idempotent must not be repeated by anything on the way (RFC 9110, section 9.2.2), unless the
        // service tells repetitions apart.
        case .duplicate where model.service.row != nil:
            model.service.capabilities.isRepeatable
                || attempt.members.allSatisfy { model.kind($0.request) == .delete }
        case .duplicate:
            model.service.capabilities.isRepeatable
                || !attempt.isBatch
                    && attempt.members.allSatisfy { model.kind($0.request).isIdempotent }
        default: true
        }
    }
}
