import SAPOData

/// The properties of an order, each read by its typed getter, as the classes that an app has for its entities do.
struct OrderColumns {
    let id, number, name, city, street, category, note, price, tax, weight, createdAt, dueDate,
        active, buyerID: Property

    init(_ type: EntityType) {
        id = type.property(withName: "ID")
        number = type.property(withName: "Number")
        name = type.property(withName: "Customer")
        city = type.property(withName: "City")
        street = type.property(withName: "Street")
        category = type.property(withName: "Category")
        note = type.property(withName: "Note")
        price = type.property(withName: "Price")
        tax = type.property(withName: "Tax")
        weight = type.property(withName: "Weight")
        createdAt = type.property(withName: "CreatedAt")
        dueDate = type.property(withName: "DueDate")
        active = type.property(withName: "Active")
        buyerID = type.property(withName: "CustomerID")
    }

    /// Adds the integers, the lengths of the texts and one for each other value that is there, as the floor does.
    func sum(_ order: EntityValue) -> Int64 {
        var sum = id.optionalLong(from: order) ?? 0
        sum += number.optionalLong(from: order) ?? 0
        sum += buyerID.optionalLong(from: order) ?? 0
        sum += length(name.optionalString(from: order))
        sum += length(city.optionalString(from: order))
        sum += length(street.optionalString(from: order))
        sum += length(category.optionalString(from: order))
        sum += length(note.optionalString(from: order))
        if price.optionalDecimal(from: order) != nil { sum += 1 }
        if tax.optionalDecimal(from: order) != nil { sum += 1 }
        if weight.optionalDecimal(from: order) != nil { sum += 1 }
        if createdAt.optionalValue(from: order) != nil { sum += 1 }
        if dueDate.optionalValue(from: order) != nil { sum += 1 }
        if active.optionalBoolean(from: order) == true { sum += 1 }
        return sum
    }
}

/// The properties of a customer.
struct CustomerColumns {
    let id, name, city: Property

    init(_ type: EntityType) {
        id = type.property(withName: "ID")
        name = type.property(withName: "Name")
        city = type.property(withName: "City")
    }

    func sum(_ customer: EntityValue) -> Int64 {
        (id.optionalLong(from: customer) ?? 0) + length(name.optionalString(from: customer))
            + length(city.optionalString(from: customer))
    }
}

private func length(_ text: String?) -> Int64 { Int64(text?.utf8.count ?? 0) }
