import ODataModel

/// What a create or update carries: changed values, references to bind, and entities to insert with it.
package struct RequestBody: Sendable, Hashable {
    /// Only the slots that the app set; nil slots are not sent.
    package var values: StructureValue
    package var binds: [Bind]
    package var inline: [InlineEntity]

    package init(values: StructureValue, binds: [Bind] = [], inline: [InlineEntity] = []) {
        self.values = values
        self.binds = binds
        self.inline = inline
    }

    /// Rows to relate through one navigation property (`@odata.bind`).
    package struct Bind: Sendable, Hashable {
        package var navigation: String
        package var targets: [RowReference]

        package init(navigation: String, targets: [RowReference]) {
            self.navigation = navigation
            self.targets = targets
        }
    }

    /// An entity of a deep insert: a row of its own here, part of its parent's request on the wire.
    package struct InlineEntity: Sendable, Hashable {
        package var navigation: String
        package var row: RowReference
        package var body: RequestBody

        package init(navigation: String, row: RowReference, body: RequestBody) {
            self.navigation = navigation
            self.row = row
            self.body = body
        }
    }

    /// True when nothing is left to send.
    package var isEmpty: Bool {
        values.slots.allSatisfy { $0 == nil } && values.dynamicValues.isEmpty
            && binds.isEmpty && inline.isEmpty
    }

    /// The rows inserted by this body, parents before children.
    package var inlineRows: [RowReference] {
        inline.flatMap { [$0.row] + $0.body.inlineRows }
    }

    /// Every row that a bind names, at any depth.
    package var boundRows: [RowReference] {
        binds.flatMap(\.targets) + inline.flatMap(\.body.boundRows)
    }

    /// The body that creates `row`, at any depth; nil when it is not inserted here.
    package func body(of row: RowReference) -> RequestBody? {
        for child in inline {
            if child.row == row { return child.body }
            if let found = child.body.body(of: row) { return found }
        }
        return nil
    }

    /// Applies `change` to the body that creates `row`; false when it is not inserted here.
    @discardableResult
    package mutating func change(
        _ row: RowReference, _ change: (inout RequestBody) -> Void
    ) -> Bool {
        for position in inline.indices {
            if inline[position].row == row {
                change(&inline[position].body)
                return true
            }
            if inline[position].body.change(row, change) { return true }
        }
        return false
    }
}
