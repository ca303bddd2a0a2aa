import ODataQuery
import ODataSyncPlan
import Testing

/// What the settings of an app take over of what is known of its service.
@Suite struct RequestSettingsTests {
    private func settings(_ profile: ServiceProfile) -> RequestSettings {
        var settings = RequestSettings()
        settings.take(profile)
        return settings
    }

    @Test(arguments: [404, 405, 415, 501]) func refusedBatchesAreNotUsedAgain(status: Int) throws {
        var profile = ServiceProfile()
        #expect(settings(profile).supportsBatch)
        #expect(profile.learnBatch(refusedWith: status) == "takes no batches (\(status))")
        #expect(!settings(profile).supportsBatch)
        let stored = try #require(ServiceProfile(text: profile.text))
        #expect(!settings(stored).supportsBatch)
        try profile.pins.pin("batch", "yes")
        #expect(settings(profile).supportsBatch)
    }

    @Test(arguments: [400, 403, 413, 500, 503])
    func otherRefusalsSayNothingOfBatches(status: Int) {
        var profile = ServiceProfile()
        #expect(profile.learnBatch(refusedWith: status) == nil)
        #expect(settings(profile).supportsBatch)
    }

    @Test func whatTheAppSaysIsKept() throws {
        var profile = ServiceProfile()
        _ = profile.learn(keys: .segments)
        try profile.pins.pin("batch", "yes")
        var settings = RequestSettings()
        settings.keys = .parentheses
        settings.supportsBatch = false
        settings.take(profile)
        #expect(settings.keys == .parentheses)
        #expect(!settings.supportsBatch)
    }

    /// An online call may have a part of a row: what an upload has learned does not make it send that as the whole.
    @Test func wholeRowsArePutWhereThatWasSaid() throws {
        var profile = ServiceProfile()
        _ = profile.learn(updates: .put)
        #expect(settings(profile).updates == nil)
        try profile.pins.pin("update", "put")
        #expect(settings(profile).updates == .put)
        var other = ServiceProfile()
        _ = other.learn(updates: .patch)
        #expect(settings(other).updates == .patch)
    }
}
