import GRDB
package import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
package import ODataTesting

/// What the tests mostly work on: the work orders of the sample.
extension ServiceWorkplace {
    /// Opens and downloads everything, and forgets what was seen.
    package func prepare() throws {
        try sync.open()
        try sync.download()
        observer.forget()
    }

    package func set(_ name: String) -> EntitySet { sync.metadata.entitySet(withName: name) }

    package func property(_ set: String, _ name: String) -> Property {
        self.set(set).entityType.property(withName: name)
    }

    /// A query as it would be written in a URL.
    package func query(_ url: String) -> DataQuery {
        let name = String(url.prefix { $0.isLetter })
        let query = DataQuery().from(set(name))
        query.url = url
        return query
    }

    package func entities(_ url: String) throws -> [EntityValue] {
        try sync.entities(query(url)).toArray()
    }

    /// The only entity that the filter finds.
    package func entity(_ set: String, _ filter: String) throws -> EntityValue {
        try sync.executeQuery(
            query("\(set)?$filter=\(filter)"), headers: HTTPHeaders(), options: RequestOptions()
        ).requiredEntity()
    }

    package func order(_ id: Int) throws -> EntityValue { try entity("WorkOrders", "Id eq \(id)") }

    /// Changes the title of a work order, as an app does.
    @discardableResult
    package func retitle(
        _ id: Int, _ title: String, _ options: RequestOptions = RequestOptions()
    ) throws -> EntityValue {
        let order = try order(id)
        order.put("Title", title)
        try sync.update(order, options)
        return order
    }

    /// A work order like the first one under a number of its own, not created yet.
    package func newOrder(_ number: String) throws -> EntityValue {
        let type = set("WorkOrders").entityType
        let pattern = try order(1)
        let order = EntityValue.ofType(type)
        for property in type.propertyList where property.isStructural && !property.isKey {
            order.setDataValue(for: property, to: pattern.optionalValue(for: property))
        }
        order.put("Number", number)
        return order
    }

    @discardableResult
    package func createOrder(
        _ number: String, _ options: RequestOptions = RequestOptions()
    ) throws -> EntityValue {
        let order = try newOrder(number)
        try sync.create(order, options)
        return order
    }

    package func storeCount(_ set: String, _ condition: String = "1") throws -> Int {
        try storeRows("SELECT count(*) FROM \"\(set)\" WHERE \(condition)")[0][0]
    }

    package func serviceCount(_ set: String, _ condition: String = "1") throws -> Int {
        try serviceRows("SELECT count(*) FROM \"\(set)\" WHERE \(condition)")[0][0]
    }

    /// The title in the store's file.
    package func storedTitle(_ id: Int) throws -> String? {
        try storeText("SELECT Title FROM WorkOrders WHERE Id = \(id)")
    }

    /// The title in the service's file.
    package func servedTitle(_ id: Int) throws -> String? {
        try serviceText("SELECT Title FROM WorkOrders WHERE Id = \(id)")
    }

    /// The names of the sets of which data was asked for, in order, each once.
    package func setsRead() -> [String] {
        var sets: [String] = []
        for request in requests("GET ") {
            let name = String(request.dropFirst(4).prefix { $0.isLetter })
            if !name.isEmpty, !sets.contains(name) { sets.append(name) }
        }
        return sets
    }
}

extension EntityValue {
    package func put(_ name: String, _ text: String?) {
        entityType.property(withName: name).setOptionalString(in: self, to: text)
    }

    package func text(_ name: String) -> String? {
        optionalValue(for: entityType.property(withName: name))?.toString()
    }
}
