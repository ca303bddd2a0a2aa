import ODataModel

/// What instances look like behind the steps of `$apply` (Data Aggregation 4.0, section 3): which declared properties
/// they keep, and which dynamic ones they got.
package struct AppliedShape: Sendable, Hashable {
    /// A property that a step made: an alias of `aggregate`, `compute`, `nest` and the like.
    package struct DynamicProperty: Sendable, Hashable {
        package var name: String
        /// Nil where the model does not tell.
        package var type: TypeReference?

        package init(name: String, type: TypeReference?) {
            self.name = name
            self.type = type
        }
    }

    /// The type that the instances began as; never a collection.
    package var item: TypeReference
    /// Paths of the declared properties that were kept, in the order of the groupings; nil when all were.
    package var kept: [[String]]?
    /// The dynamic properties in the order they were made.
    package var dynamic: [DynamicProperty] = []
    /// True behind a transformation of the service, whose result the model does not tell.
    package var isOpen = false

    package init(item: TypeReference) {
        self.item = item
        self.item.isCollection = false
    }

    /// True while the instances are those that the resource has.
    package var isUnchanged: Bool { kept == nil && dynamic.isEmpty && !isOpen }

    package func dynamicProperty(_ name: String) -> DynamicProperty? {
        dynamic.first { $0.name == name }
    }

    /// True for a path to, into or above what was kept.
    package func keeps(_ path: [String]) -> Bool {
        guard let kept, !isOpen else { return true }
        return kept.contains { $0.starts(with: path) || path.starts(with: $0) }
    }

    /// Adds a dynamic property, in place of one of that name.
    mutating func add(_ name: String, _ type: TypeReference?) {
        dynamic.removeAll { $0.name == name }
        dynamic.append(DynamicProperty(name: name, type: type))
    }

    /// The shape of instances of both.
    func union(_ other: AppliedShape) -> AppliedShape {
        var result = self
        result.kept = kept.flatMap { mine in
            other.kept.map { mine + $0.filter { !mine.contains($0) } }
        }
        for property in other.dynamic {
            if let position = result.dynamic.firstIndex(where: { $0.name == property.name }) {
                if result.dynamic[position].type != property.type {
                    result.dynamic[position].type = nil
                }
            } else {
                result.dynamic.append(property)
            }
        }
        result.isOpen = isOpen || other.isOpen
        return result
    }
}
