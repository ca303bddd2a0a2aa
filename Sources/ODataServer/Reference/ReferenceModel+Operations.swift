import GRDB
import ODataModel
import ODataText

// The document says names and signatures only; what each operation does is said here, and in docs/service.md.
extension ReferenceModel {
    private static let namespace = "ComplianceService."
    private static let selected = "SELECT p.ID FROM Products AS p"

    static func handlers(_ rows: [String: [UInt8]]) -> [String: ModelOperation] {
        var handlers: [String: ModelOperation] = [:]
        func add(_ name: String, _ body: @escaping ModelOperation.Body) {
            handlers[namespace + name] = ModelOperation(body)
        }
        addFunctions(add)
        addCalculations(add)
        addActions(add, rows)
        return handlers
    }

    private typealias Add = (String, @escaping ModelOperation.Body) -> Void

    private static func addFunctions(_ add: Add) {
        add("GetRelatedProducts") { call in
            .entities(
                "Products",
                sql:
                    "\(selected) JOIN Products AS o ON o._odata_id = ? AND p._odata_id <> o._odata_id"
                    + " AND p.CategoryID = o.CategoryID ORDER BY p.Name", [call.row])
        }
        add("FindProducts") { call in
            .entities(
                "Products",
                sql: "\(selected) WHERE instr(p.Name, ?) > 0 AND p.Price <= ? ORDER BY p.Name",
                [call.text("name"), call.number("maxPrice")])
        }
        add("GetTopProducts") { call in
            let count = call.integer("count") ?? 10
            guard count >= 0 else { throw invalid("count") }
            return .entities(
                "Products",
                sql: "\(selected) LEFT JOIN Categories AS c ON c.ID = p.CategoryID"
                    + " WHERE ?1 IS NULL OR c.Name = ?1 ORDER BY p.Price DESC, p.ID LIMIT ?2",
                [call.text("category"), count])
        }
        add("GetProductStats") { call in
            let row = try Row.fetchOne(
                call.database, sql: "SELECT count(*), coalesce(avg(Price), 0) FROM Products")
            let count: Int64 = row?[0] ?? 0
            let average: Double = row?[1] ?? 0
            return .value(.string("Count: \(count), average price: \(rounded(average))"))
        }
        add("GetInfo") { call in
            let name =
                try String.fetchOne(
                    call.database, sql: "SELECT Name FROM Products WHERE _odata_id = ?",
                    arguments: [call.row]) ?? ""
            let amount = rounded(try price(call))
            guard call.text("format")?.lowercased() == "json" else {
                return .value(.string("\(name): \(amount)"))
            }
            let object = JSONObject([
                .init(name: "name", value: .string(name)),
                .init(name: "price", value: .number("\(amount)")),
            ])
            return .value(.string(JSONValue.object(object).text))
        }
    }

    private static func addCalculations(_ add: Add) {
        add("GetAveragePrice") { call in
            .value(
                .double(
                    try Double.fetchOne(
                        call.database,
                        sql:
                            "SELECT avg(p.Price) FROM Products AS p JOIN Products AS o ON o._odata_id = ?"
                            + " WHERE p.CategoryID IS o.CategoryID", arguments: [call.row]) ?? 0))
        }
        add("CalculatePrice") { call in
            let (discount, tax) = (call.number("discount") ?? 0, call.number("tax") ?? 0)
            return .value(
                .double(rounded(try price(call) * (1 - discount / 100) * (1 + tax / 100))))
        }
        add("GetTotalPrice") { call in
            .value(.double(rounded(try price(call) * (1 + (call.number("taxRate") ?? 0)))))
        }
        add("CalculateDiscount") { call in
            .value(.double(rounded(try price(call) * percentage(call) / 100)))
        }
        add("Calculate") { call in
            guard let value = call.integer("value") else {
                let (sum, overflow) = (call.integer("a") ?? 0).addingReportingOverflow(
                    call.integer("b") ?? 0)
                guard !overflow else { throw invalid("b") }
                return .value(.integer(sum))
            }
            let (product, overflow) = value.multipliedReportingOverflow(by: 2)
            guard !overflow else { throw invalid("value") }
            return .value(.integer(product))
        }
        add("Convert") { call in
            .value(
                .string(call.text("input")?.uppercased() ?? String(call.integer("number") ?? 0)))
        }
    }

    private static func addActions(_ add: Add, _ rows: [String: [UInt8]]) {
        add("Activate") { call in
            // In stock, and not discontinued any more.
            try change(call, "Status = (Status | 1) & ~4")
            return .nothing
        }
        add("MarkAllAsReviewed") { _ in .nothing }
        add("ApplyDiscount") { call in
            try change(call, "Price = round(Price * ?, 2)", 1 - (try percentage(call)) / 100)
            return .entities("Products", sql: "\(selected) WHERE _odata_id = ?", [call.row])
        }
        add("IncreasePrice") { call in
            guard let amount = call.number("amount"), amount.isFinite else {
                throw invalid("amount")
            }
            try change(call, "Price = round(Price + ?, 2)", amount)
            return .nothing
        }
        add("Process") { call in
            try call.database.execute(
                sql: "UPDATE Products SET Price = round(Price * ?, 2), Version = Version + 1"
                    + " WHERE Price >= ?",
                arguments: [
                    1 + (try percentage(call)) / 100,
                    call.number("minPrice") ?? -Double.greatestFiniteMagnitude,
                ])
            return .nothing
        }
        add("ResetAllPrices") { call in
            var count = 0
            for row in (try JSONValue(parsing: rows["Products"] ?? [0x5B, 0x5D])).array ?? [] {
                try call.database.execute(
                    sql: "UPDATE Products SET Price = ?1 WHERE ID = ?2 AND Price IS NOT ?1",
                    arguments: [row["Price"]?.number.flatMap(Double.init), row["ID"]?.string])
                count += 1
            }
            return .value(.string("Prices of \(count) products are as at the beginning."))
        }
        add("Reseed") { call in
            let sets = call.exchange.graph.entitySets.map(\.name)
            try ModelRows(model: call.exchange.model, database: call.database).reload(
                sets, from: rows)
            return .nothing
        }
        add("ResetProducts") { call in
            try ModelRows(model: call.exchange.model, database: call.database).reload(
                ["Products", "ProductDescriptions"], from: rows)
            return .nothing
        }
    }

    private static func price(_ call: OperationCall) throws -> Double {
        try Double.fetchOne(
            call.database, sql: "SELECT Price FROM Products WHERE _odata_id = ?",
            arguments: [call.row]) ?? 0
    }

    private static func change(
        _ call: OperationCall, _ assignment: String, _ value: Double? = nil
    ) throws {
        var arguments = StatementArguments(value.map { [$0] } ?? [])
        arguments += [call.row]
        try call.database.execute(
            sql: "UPDATE Products SET \(assignment), Version = Version + 1 WHERE _odata_id = ?",
            arguments: arguments)
    }

    /// - Throws: 400 for what is no share of a price.
    private static func percentage(_ call: OperationCall) throws -> Double {
        guard let value = call.number("percentage"), (0...100).contains(value) else {
            throw invalid("percentage")
        }
        return value
    }

    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    private static func invalid(_ parameter: String) -> ODataError {
        ODataError(
            .invalidValue, "Expected a value that the operation can use.", at: .path(parameter),
            status: 400)
    }
}
