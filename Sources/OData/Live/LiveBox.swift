#if canImport(Observation)
    import Observation

    /// The rows of a live query for a view: they change in place, and what observes them follows.
    ///
    /// ```swift
    /// @State private var orders = LiveBox(store.live(WorkOrder.all.order(by: \.title)))
    /// // … List(orders.rows, id: \.ref) { … }.task { await orders.follow() }
    /// ```
    @MainActor
    @Observable
    public final class LiveBox<Result: Sendable> {
        /// The rows as they were delivered last; none before the first time.
        public private(set) var rows: [Result] = []
        /// Whether ``rows`` is all there is; false while it is empty because nothing was downloaded yet.
        public private(set) var isComplete = false
        /// What has ended the following; nil while all is well.
        public private(set) var error: ODataError?

        private let query: LiveQuery<Result>

        /// A box for a query; nothing is read before ``follow()``.
        public init(_ query: LiveQuery<Result>) { self.query = query }

        /// Follows the query until the task is cancelled or the query fails.
        public func follow() async {
            error = nil
            do {
                for try await rows in query {
                    self.rows = Array(rows)
                    isComplete = rows.isComplete
                }
            } catch {
                self.error = error
            }
        }
    }
#endif
