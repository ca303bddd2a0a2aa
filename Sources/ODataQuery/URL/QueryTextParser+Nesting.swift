import ODataModel
import ODataText

/// Steps that add nested instances or follow hierarchies (Data Aggregation 4.0, sections 3.4 to 3.6 and 6).
extension QueryTextParser {
    mutating func nesting(_ word: String, _ start: Int) throws -> Transformation {
        switch word {
        case "nest":
            let terms = try list { try $0.nestedTerm() }
            guard !terms.isEmpty else { throw scanner.expected("a transformation", at: start + 5) }
            return .nest(terms)
        case "addnested":
            return try parenthesized { parser in
                let path = try parser.pathOperand("a navigation property")
                var terms: [NestedTerm] = []
                repeat {
                    try parser.expectComma()
                    terms.append(try parser.nestedTerm())
                    parser.scanner.skipSpaces()
                } while parser.scanner.isNext(",")
                return .addNested(path, terms)
            }
        case "expand":
            return .expand(try expandStep())
        default:
            return try parenthesized { parser in
                let path = try parser.pathOperand("a collection")
                let alias = try parser.alias()
                parser.scanner.skipSpaces()
                let steps = parser.scanner.skip(",") ? try parser.transformations() : []
                return .join(path, alias: alias, steps, isOuter: word == "outerjoin")
            }
        }
    }

    private mutating func nestedTerm() throws -> NestedTerm {
        let steps = try transformations()
        return NestedTerm(steps, alias: try alias())
    }

    /// `expand(path,filter(…),expand(…))`; the cursor stands on the parenthesis.
    private mutating func expandStep() throws -> ExpandTerm {
        try parenthesized { parser in
            var term = ExpandTerm(try parser.pathOperand("a navigation property"))
            parser.scanner.skipSpaces()
            while parser.scanner.isNext(",") {
                try parser.expectComma()
                let start = parser.scanner.position
                switch parser.folded(parser.scanner.take(parser.scanner.identifierLength())) {
                case "filter" where term.options.filter == nil:
                    term.options.filter = try parser.parenthesized { try $0.expression() }
                case "expand":
                    term.options.expand.append(try parser.nested { try $0.expandStep() })
                default:
                    throw parser.scanner.expected("filter or expand", at: start)
                }
                parser.scanner.skipSpaces()
            }
            return term
        }
    }

    // MARK: Hierarchies

    /// `$root/Nodes,Qualifier,path`.
    mutating func hierarchy() throws -> HierarchyReference {
        let nodes = try pathOperand("a collection of nodes")
        try expectComma()
        let qualifier = try identifier("the qualifier of a hierarchy")
        try expectComma()
        return HierarchyReference(
            nodes: nodes, qualifier: qualifier, node: try pathOperand("a node identifier"))
    }

    mutating func hierarchical(_ word: String, _ start: Int) throws -> Transformation {
        try parenthesized { parser in
            let hierarchy = try parser.hierarchy()
            try parser.expectComma()
            if word == "traverse" { return .traverse(try parser.traversal(hierarchy)) }
            var term = RelativesTerm(
                isAncestors: word == "ancestors", hierarchy: hierarchy,
                start: try parser.transformations())
            parser.scanner.skipSpaces()
            guard parser.scanner.isNext(",") else { return .relatives(term) }
            try parser.expectComma()
            if TextScanner.isDigit(parser.scanner.peek()) {
                term.maximumDistance = try parser.count()
                parser.scanner.skipSpaces()
                guard parser.scanner.isNext(",") else { return .relatives(term) }
                try parser.expectComma()
            }
            let place = parser.scanner.position
            if parser.startsTransformation {
                _ = try parser.transformations()
                throw parser.notCarriedOut(
                    "Relatives are not filtered by a second sequence.", at: place)
            }
            guard parser.folded(parser.scanner.take(parser.scanner.identifierLength())) == "keep",
                parser.scanner.skipSpaces(),
                parser.folded(parser.scanner.take(parser.scanner.identifierLength())) == "start"
            else { throw parser.scanner.expected("a distance or keep start", at: place) }
            term.keepsStart = true
            return .relatives(term)
        }
    }

    private mutating func traversal(_ hierarchy: HierarchyReference) throws -> TraverseTerm {
        let start = scanner.position
        let word = folded(scanner.take(scanner.identifierLength()))
        guard word == "preorder" || word == "postorder" else {
            throw scanner.expected("preorder or postorder", at: start)
        }
        var term = TraverseTerm(hierarchy: hierarchy, isPreorder: word == "preorder")
        scanner.skipSpaces()
        while scanner.isNext(",") {
            try expectComma()
            if term.orderBy.isEmpty, startsTransformation {
                let place = scanner.position
                _ = try transformations()
                throw notCarriedOut("Only whole hierarchies are traversed.", at: place)
            }
            term.orderBy.append(try orderItem())
            scanner.skipSpaces()
        }
        return term
    }

    /// True when a step that keeps instances is next, by its name and parenthesis.
    private var startsTransformation: Bool {
        var ahead = scanner
        let word = folded(ahead.take(ahead.identifierLength()))
        let keeps: Set<String> = [
            "filter", "search", "orderby", "top", "skip", "ancestors", "descendants", "traverse",
        ]
        return ahead.isNext("(") && (keeps.contains(word) || RankedMethod(rawValue: word) != nil)
    }
}
