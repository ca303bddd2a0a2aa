import ODataModel
import ODataQuery
import ODataText

/// `nest` and `addnested` (Data Aggregation 4.0, section 3.4): results of steps as collections under a name.
extension ApplyCompiler {
    /// A collection that `nest` made: the steps that make it of the rows, its name, and the value of a row that tells which
    /// part of the rows it is made of.
    struct Nest {
        var rows: ApplyCompiler
        var alias: String
        var key: String
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

    /// One row for each part, with what each of the sequences makes of the rows that were there.
    mutating func nest(_ terms: [NestedTerm]) throws {
        let isBelow = partitions.first?.name == RowPartition.parentName
        guard !isBelow || partitions.count == 1 else {
            throw ExpressionCompiler.notImplemented("nest in groups of expanded rows")
        }
        let names = terms.map(\.alias).joined(separator: ",")
        let key = "\(target.expressions.makeAlias("_odata_nest")):\(names)"
        let made = try terms.map { term in
            var rows = self
            try rows.run(term.steps)
            return Nest(rows: rows, alias: term.alias, key: key)
        }
        let column = Self.nestKey(key)
        try derive([column], parts(column, isBelow: isBelow))
        nests = made
    }

    /// The column of the values that tell the part.
    static func nestKey(_ key: String) -> DerivedColumn {
        DerivedColumn(
            path: [key], type: nil, source: SQLTerm("NULL", .string), name: key, isHidden: true)
    }

    /// A SELECT of all parts with the value that tells the part: for expanded parents what identifies them.
    private func parts(_ column: DerivedColumn, isBelow: Bool) -> SQLText {
        let key = column.label
        guard let part = partitions.last else {
            return "SELECT \(dialect.partKey("0")) AS \(name: key)"
        }
        if isBelow {
            let parents = dialect.elements(of: SQLText(argument: .parentRows), alias: "k")
            return "SELECT \(name: "k").\(name: "key") AS \(name: part.name), "
                + "\(name: "k").\(name: "value") AS \(name: key) FROM \(parents)"
        }
        let names = partitions.map {
            "\(name: "a").\(name: $0.name) AS \(name: $0.name)" as SQLText
        }
        let value = dialect.partKey("\(name: "a").\(name: part.name)")
        let own: SQLText = "\(value) AS \(name: key)"
        return "SELECT \((names + [own]).joined(", ")) FROM (\(part.all)) AS \(name: "a")"
    }
}
