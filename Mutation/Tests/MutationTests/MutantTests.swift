import Testing

@testable import Mutation

/// What each mutant makes of a text: each by itself, as number 7.
@Suite struct MutantTests {
    private func made(_ text: String, _ kinds: Mutant.Kind...) -> [String] {
        MutantFinder.mutants(in: text).filter { kinds.contains($0.kind) }
            .map { Rendering(text, [(7, $0)]).text }
    }

    @Test func conditionsCountAsTheirOpposite() {
        #expect(
            made("if a.isEmpty, b == c { d() } else { e() }", .condition) == [
                "if mutant(7, not: a.isEmpty), b == c { d() } else { e() }",
                "if a.isEmpty, mutant(7, not: b == c) { d() } else { e() }",
            ])
        #expect(made("while a { b() }", .condition) == ["while mutant(7, not: a) { b() }"])
        #expect(
            made("repeat { b() } while try a()", .condition)
                == ["repeat { b() } while mutant(7, not: try a())"])
        #expect(made("let x = a ? b : c", .condition) == ["let x = mutant(7, not: a) ? b : c"])
        #expect(
            made("for x in y where x.a {}", .condition)
                == ["for x in y where mutant(7, not: x.a) {}"])
        #expect(
            made("return a && !b", .operator) == [
                "return (mutant(7) ? a || !b : a && !b)", "return a && mutant(7, not: !b)",
            ])
    }

    @Test func whatNeverEndsIsNotMade() {
        #expect(MutantFinder.mutants(in: "while true { if #available(macOS 15, *) {} }").isEmpty)
    }

    @Test func bindingsNeverMatch() {
        #expect(
            made("guard a, let b = c(), case .d = e else { return }", .binding) == [
                "guard a, !mutant(7), let b = c(), case .d = e else { return }",
                "guard a, let b = c(), !mutant(7), case .d = e else { return }",
            ])
    }

    @Test func boundsMoveByOne() {
        #expect(
            made("x = a.count > 0", .bound) == [
                "x = (mutant(7) ? a.count >= 0 : a.count > 0)",
                "x = a.count > (mutant(7) ? 1 : 0)",
            ])
        #expect(
            made("x = 3 <= a", .bound) == [
                "x = (mutant(7) ? 3 < a : 3 <= a)", "x = (mutant(7) ? 2 : 3) <= a",
            ])
        #expect(
            made("for i in 0..<n {}", .bound)
                == ["for i in (mutant(7) ? Range(0...n) : 0..<n) {}"])
        #expect(
            made("for i in 1...n {}", .bound)
                == ["for i in (mutant(7) ? ClosedRange(1..<n) : 1...n) {}"])
    }

    /// `a < 1` and `a <= 0` are the same: of two spellings of one mutant there is one.
    @Test(arguments: [
        ("a > 4", 5), ("a >= 4", 3), ("a < 4", 3), ("a <= 4", 5), ("a == 4", 5), ("a != 4", 5),
    ])
    func numbersMoveToTheSideThatTheOtherBoundDoesNotReach(comparison: String, moved: Int) {
        let sign = comparison.split(separator: " ")[1]
        #expect(
            made("x = \(comparison)", .bound).last == "x = a \(sign) (mutant(7) ? \(moved) : 4)")
    }

    @Test func operatorsAreExchanged() {
        #expect(
            made("x = a == b || c", .operator) == [
                "x = (mutant(7) ? a == b && c : a == b || c)",
                "x = (mutant(7) ? a != b : a == b) || c",
            ])
        #expect(made("x = a + b", .operator) == ["x = (mutant(7) ? a - b : a + b)"])
        #expect(made(#"x = a + "b" + c"#, .operator).isEmpty)
        #expect(made("x = try a() ?? b", .operator) == ["x = try (mutant(7) ? nil : a()) ?? b"])
    }

    @Test func literalsAreTheOther() {
        #expect(
            made("f(true, a: false)", .literal)
                == ["f(!mutant(7), a: false)", "f(true, a: mutant(7))"])
        #expect(made("switch a { case true: b(); default: c() }", .literal).isEmpty)
    }

    @Test func statementsAreRemoved() {
        #expect(
            made("func f() {\n    try a.b()\n    c = d\n}", .removed) == [
                "func f() {\n    if !mutant(7) { try a.b() }\n    c = d\n}",
                "func f() {\n    try a.b()\n    if !mutant(7) { c = d }\n}",
            ])
        #expect(
            made("if a, let b { return }", .removed) == ["if !mutant(7), a, let b { return }"])
        #expect(
            made("guard a else { return }", .removed)
                == ["guard (mutant(7) ? true : (a)) else { return }"])
    }

    @Test(arguments: [
        "func f() -> Int { g() }", "let x = y.map { g($0) }", "var x: Int { g() }",
        "var x: Int { get { g() } }", "let x = if a { g() } else { h() }",
        "func f() -> Int { switch a { case .b: g() } }", "init() { a = b }",
        "func f() { precondition(a); list.reserveCapacity(2) }", "if a { b() } else { return }",
    ])
    func whatMayBeAValueOrHasToBeStaysThere(text: String) {
        let removed = made(text, .removed)
        #expect(removed.isEmpty == !text.hasPrefix("if"), "\(removed)")
    }

    @Test func attributesAndOtherPlatformsAreLeftAlone() {
        #expect(
            MutantFinder.mutants(
                in: "@A(true) struct B {}\n#if os(iOS)\nlet a = b < c\n#endif\n"
            ).isEmpty)
    }
}
