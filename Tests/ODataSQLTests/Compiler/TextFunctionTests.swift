import ODataSQL
import Testing

/// Texts compare by code points, and functions of texts know no patterns but those of `matchesPattern`.
@Suite struct TextFunctionTests {
    private static let functionsOfTexts: [Translation] = [
        .init(
            "toupper(Name) eq 'A'",
            #"_odata_upper("t0"."Name") = {A}"#),
        .init(
            "tolower(Name) in ('a','b')",
            #"_odata_lower("t0"."Name") IN ({a}, {b})"#),
        .init(
            "substring(Name,-2) eq 'A'",
            #"_odata_substr("t0"."Name", CASE WHEN {-2} < 0 THEN max(_odata_length("t0"."Name") + {-2}, 0) ELSE {-2} END + 1) = {A}"#,
            #"_odata_substring("t0"."Name", {-2}) = {A}"#),
        .init(
            "substring(Name,Id) eq 'A'",
            #"_odata_substr("t0"."Name", CASE WHEN "t0"."Id" < 0 THEN max(_odata_length("t0"."Name") + "t0"."Id", 0) ELSE "t0"."Id" END + 1) = {A}"#,
            #"_odata_substring("t0"."Name", "t0"."Id") = {A}"#),
        .init(
            "contains(Name,Name)",
            #"instr("t0"."Name", "t0"."Name") > 0"#,
            #"strpos("t0"."Name", "t0"."Name") > 0"#),
        .init(
            "startswith(Name,'A')",
            #"("t0"."Name" >= {A} AND "t0"."Name" < {B})"#),
        .init(
            "startswith(Name,Address/City)",
            #"_odata_substr("t0"."Name", 1, _odata_length("t0"."Address/City")) = "t0"."Address/City""#,
            #"substr("t0"."Name", 1, length("t0"."Address/City")) = "t0"."Address/City""#),
        .init(
            "startswith(Name,'%F4%8F%BF%BF')",
            #"_odata_substr("t0"."Name", 1, _odata_length({􏿿})) = {􏿿}"#,
            #"substr("t0"."Name", 1, length({􏿿})) = {􏿿}"#),
        .init(
            "endswith(Name,'')",
            #"CASE WHEN "t0"."Name" IS NOT NULL THEN 1 END"#,
            #"CASE WHEN "t0"."Name" IS NOT NULL THEN TRUE END"#),
        .init(
            "concat(concat(Name,', '),Address/City) ne null",
            #"(("t0"."Name" || {, }) || "t0"."Address/City") IS NOT NULL"#),
        .init(
            "indexof(Name,'b') eq -1",
            #"(instr("t0"."Name", {b}) - 1) = {-1}"#,
            #"(strpos("t0"."Name", {b}) - 1) = {-1}"#),
        .init(
            "length(Name) gt 2",
            #"_odata_length("t0"."Name") > {2}"#,
            #"length("t0"."Name") > {2}"#),
        .init(
            "length(Name) mul 2 gt Id",
            #"_odata_order(_odata_decimal('imul', _odata_length("t0"."Name"), {2})) > _odata_order("t0"."Id")"#,
            #"CAST((CAST(length("t0"."Name") AS numeric) * CAST({2} AS numeric)) AS numeric) > CAST("t0"."Id" AS numeric)"#
        ),
    ]

    private static let patterns: [Translation] = [
        .init(
            "matchesPattern(Name,'%5EA.*')",
            #"_odata_matches("t0"."Name", {^A.*})"#,
            #"("t0"."Name" ~ {\AA[^\n\r\u0085\u2028\u2029]*})"#),
        .init(
            "matchesPattern(Name,'b$')",
            #"_odata_matches("t0"."Name", {b$})"#,
            #"("t0"."Name" ~ {b(?=(?:\r\n|[\n\v\f\r\u0085\u2028\u2029])?\Z)})"#),
    ]

    private static let textsAsTheyAre: [Translation] = [
        .init(
            "Name eq 'O''Neil'",
            #""t0"."Name" = {O'Neil}"#),
        .init(
            "Name lt 'b' and Name ge 'a'",
            #"("t0"."Name" < {b}) AND ("t0"."Name" >= {a})"#),
        .init(
            "Name in ('a',null)",
            #""t0"."Name" IN ({a}, NULL)"#),
        .init(
            "Name eq ''",
            #""t0"."Name" = {}"#),
    ]

    @Test(arguments: functionsOfTexts)
    func functionsOfTextsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: patterns)
    func patternsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: textsAsTheyAre)
    func textsAsTheyAreAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }
}
