import ODataModel
import ODataQuery
import ODataText

/// `nest` and `addnested` (Data Aggregation 4.0, section 3.4): results of steps as collections under a name.
extension ApplyCompiler {
    /// A collection that `nest` made: the steps that make it of the rows, and its name.
    struct Nest {
        var rows: ApplyCompiler
        var alias: String
    }

    /// Each entity gets what steps make of the rows related to it.
    mutating func addNested(_ path: ExpressionPath, _ terms: [NestedTerm]) throws {
        guard derived == nil else {
            throw ExpressionCompiler.notImplemented("addnested behind steps that make new rows")
        }
        for term in terms {
            var item = ExpandTerm(path)
            item.options.apply = term.steps
            item.alias = term.alias
            expands.append(item)
        }
        guard expands.count <= Self.maximumSteps else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumSteps) nested collections.",
                status: 400)
        }
    }

    /// One row, with what each of the sequences makes of the rows that were there.
    mutating func nest(_ terms: [NestedTerm]) throws {
        guard partitions.isEmpty else {
            throw ExpressionCompiler.notImplemented("nest for each parent or group")
        }
        nests = try terms.map { term in
            var rows = self
            try rows.run(term.steps)
            guard rows.nests.isEmpty, rows.expands.isEmpty else {
                throw ExpressionCompiler.notImplemented("collections inside nest")
            }
            return Nest(rows: rows, alias: term.alias)
        }
    }
}
