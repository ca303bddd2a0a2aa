/// Which members of a row are wanted, and in which slot each arrives.
///
/// A path such as `Address/City` reaches into complex values; a path that others continue (`Address`) is the
/// complex value itself: its slot tells null from present.
package struct RowShape: Sendable, Hashable {
    /// The entity set or containment path, as context URLs name it.
    package let path: String
    /// Property paths; the position is the slot.
    package let columns: [String]
    /// Names of navigation properties whose expanded content is wanted.
    package let navigations: [String]
    /// Hands members that the shape does not name to the sink (open types); otherwise they are read over.
    package let keepsUnknown: Bool
    let nodes: [Node]

    /// One object level: the row itself, or a complex value.
    struct Node: Sendable, Hashable {
        var targets: [String: Target] = [:]
        /// Slots that become null when the complex value is null.
        var slotsBelow: [Int] = []
    }

    enum Target: Sendable, Hashable {
        case slot(Int)
        /// A complex value: the slot of its presence if it has one, and the node of its members.
        case complex(slot: Int?, node: Int)
        case navigation(Int)
    }

    package init(
        path: String, columns: [String], navigations: [String] = [], keepsUnknown: Bool = false
    ) {
        self.path = path
        self.columns = columns
        self.navigations = navigations
        self.keepsUnknown = keepsUnknown
        var nodes = [Node()]
        for (slot, column) in columns.enumerated() {
            let names = column.split(separator: "/").map(String.init)
            var node = 0
            for (level, name) in names.enumerated() {
                if level > 0 { nodes[node].slotsBelow.append(slot) }
                if level == names.count - 1 {
                    nodes[node].setSlot(slot, of: name)
                } else {
                    node = Self.child(of: node, name: name, in: &nodes)
                }
            }
        }
        for (index, name) in navigations.enumerated() {
            nodes[0].targets[name] = .navigation(index)
        }
        self.nodes = nodes
    }

    private static func child(of node: Int, name: String, in nodes: inout [Node]) -> Int {
        switch nodes[node].targets[name] {
        case .complex(_, let child): return child
        case .slot(let slot):
            nodes[node].targets[name] = .complex(slot: slot, node: nodes.count)
        default:
            nodes[node].targets[name] = .complex(slot: nil, node: nodes.count)
        }
        nodes.append(Node())
        return nodes.count - 1
    }
}

extension RowShape.Node {
    fileprivate mutating func setSlot(_ slot: Int, of name: String) {
        if case .complex(_, let node) = targets[name] {
            targets[name] = .complex(slot: slot, node: node)
        } else {
            targets[name] = .slot(slot)
        }
    }
}
