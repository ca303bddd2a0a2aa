import ODataModel
import ODataSyncPlan
import Testing

/// What a refusal says of the methods that updates may have.
@Suite struct UpdateMethodTests {
    static let cases: [(UpdateMethod, Int, String?, UpdateMethod?)] = [
        (.merge, 405, "GET, DELETE, PATCH, PUT", .patch),
        (.merge, 405, "get,put", .put),
        (.merge, 501, nil, .patch),
        // A gateway lets only these pass: the method is not the service's matter.
        (.merge, 405, "GET, POST", nil),
        (.merge, 405, "GET, MERGE", nil),
        // What was sent is allowed: it was not refused for its method.
        (.merge, 405, "MERGE, PATCH", nil),
        (.patch, 405, nil, nil),
        (.patch, 405, "MERGE", .merge),
        (.put, 405, "PATCH", .patch),
        (.merge, 400, "PATCH", nil),
        (.merge, 405, "", nil),
    ]

    @Test(arguments: cases) func theNextOneIsWhatIsTaken(
        _ used: UpdateMethod, _ status: Int, _ allow: String?, _ next: UpdateMethod?
    ) {
        #expect(used.next(afterStatus: status, allow: allow) == next)
    }

    @Test func itIsKeptAndPinned() throws {
        #expect(UpdateMethod.standard(Dialect.of(.v2)) == .merge)
        #expect(UpdateMethod.standard(Dialect.of(.v4)) == .patch)
        var profile = ServiceProfile()
        #expect(profile.learn(updates: .put) == "takes updates as whole rows (PUT)")
        #expect(profile.learn(updates: .put) == nil)
        #expect(ServiceProfile(text: profile.text) == profile)
        try profile.pins.pin("update", "patch")
        #expect(profile.updates == .patch)
        #expect(profile.learn(updates: .merge) == nil)
    }
}
