import ODataQuery

/// Where paths of a random expression start: a type, and the values that it has by kind.
struct OraclePlace {
    var type: String
    var root: ExpressionPath.Root = .it
    /// How many navigation properties may still be followed.
    var hops = 0
    /// True for related rows beside the ones they were joined with, of which nothing is known but their values.
    var isJoined = false
    /// Segments in front of each path.
    var prefix: [ExpressionPath.Segment] = []
    var numbers: [String] = []
    var texts: [String] = []
    var days: [String] = []
    var instants: [String] = []
    var durations: [String] = []
    /// Further values that have an order.
    var others: [String] = []

    init(_ type: String, hops: Int = 0) {
        self.type = type
        self.hops = hops
        switch type {
        case "Customer":
            numbers = [
                "Id", "Big", "Small", "Tiny", "Balance", "Exact", "Score", "Ratio", "Address/Zip",
                "Address/Place/Latitude", "ManagerId",
            ]
            texts = ["Name", "Name", "Address/City"]
            (days, instants, durations) = (["Since"], ["Changed"], ["Wait"])
            others = ["Wakes", "Token", "Active", "Grade"]
        case "Order":
            numbers = ["Id", "CustomerId", "Amount"]
            (texts, instants) = (["Title", "Note"], ["Placed"])
        case "Item":
            (numbers, texts) = (["OrderId", "Line", "Quantity"], ["Product"])
        case "Address":
            (numbers, texts) = (["Zip", "Place/Latitude"], ["City"])
        default: break
        }
    }

    var ordered: [String] { numbers + texts + days + instants + durations + others }

    var isCustomer: Bool { type == "Customer" }

    func path(_ name: String) -> ODataQuery.Expression { .path(steps(name)) }

    func steps(_ name: String) -> ExpressionPath {
        ExpressionPath(
            root: root, prefix + name.split(separator: "/").map { .property(String($0)) })
    }
}
