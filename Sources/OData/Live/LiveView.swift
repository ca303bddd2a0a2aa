#if canImport(SwiftUI)
    import SwiftUI

    /// A view that follows a query as long as it is on screen.
    ///
    /// ```swift
    /// LiveView(store.live(WorkOrder.all.order(by: \.title))) { orders in
    ///     List(orders.rows, id: \.ref) { Text($0.title) }
    /// }
    /// ```
    public struct LiveView<Result: Sendable, Content: View>: View {
        @State private var box: LiveBox<Result>
        private let content: (LiveBox<Result>) -> Content

        /// Follows a query; another one counts once the view has another identity.
        public init(
            _ query: LiveQuery<Result>,
            @ViewBuilder content: @escaping (LiveBox<Result>) -> Content
        ) {
            _box = State(initialValue: LiveBox(query))
            self.content = content
        }

        /// What the closure makes of the rows.
        public var body: some View {
            content(box).task { await box.follow() }
        }
    }
#endif
