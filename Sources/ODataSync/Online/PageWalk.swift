import ODataSyncPlan
import ODataText

/// One page at a time of a collection (Protocol 4.01, sections 11.2.6.7 and 11.3); the next is asked for when it is needed.
package struct PageWalk: Sendable {
    package let plan: ReadPlan
    private let call: ServiceCall
    private var seen: Set<String> = []
    package private(set) var page: AnswerPage
    private var read: Int

    package init(_ call: ServiceCall, _ plan: ReadPlan) throws {
        self.call = call
        self.plan = plan
        page = try call.firstPage(plan)
        read = page.rows.count
    }

    /// Where the next page is; nil where there is none to read.
    package var next: String? {
        plan.followsPages && !plan.isWhole(after: read) ? page.nextLink : nil
    }

    /// Moves to the next page; false when there is none to read.
    ///
    /// - Throws: `invalidPayload` for links that come back to one before.
    package mutating func turn() throws -> Bool {
        guard let next else { return false }
        guard seen.insert(next).inserted else {
            throw ODataError(
                .invalidPayload, "Expected next links that come to an end, found none that do.")
        }
        page = try call.page(at: next, of: plan)
        read += page.rows.count
        return true
    }
}
