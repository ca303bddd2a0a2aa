import ODataSQL
import Testing

/// Null is unknown but for the literal, truth is a value, and enumerations are numbers.
@Suite struct TruthTests {
    private static let nulls: [Translation] = [
        .init(
            "null eq null",
            "1",
            "TRUE"),
        .init(
            "null ne null",
            "0",
            "FALSE"),
        .init(
            "Name ne 'A'",
            #""t0"."Name" <> {A}"#),
        .init(
            "Name eq Address/City",
            #""t0"."Name" = "t0"."Address/City""#),
        .init(
            "not (Name eq 'A')",
            #"NOT ("t0"."Name" = {A})"#),
        .init(
            "Active and null",
            #"("t0"."Active") AND (NULL)"#),
        .init(
            "Address eq null",
            #""t0"."Address" IS NULL"#),
        .init(
            "Address ne null",
            #""t0"."Address" IS NOT NULL"#),
        .init(
            "Token ne null",
            #""t0"."Token" IS NOT NULL"#),
        .init(
            "Name eq @q",
            #""t0"."Name" IS NULL"#),
        .init(
            "cast(null,Edm.Int32) eq null",
            "1",
            "TRUE"),
    ]

    private static let truths: [Translation] = [
        .init(
            "true",
            "1",
            "TRUE"),
        .init(
            "false or Active",
            #"(0) OR ("t0"."Active")"#,
            #"(FALSE) OR ("t0"."Active")"#),
        .init(
            "Active eq null",
            #""t0"."Active" IS NULL"#),
        .init(
            "Active ne true",
            #"("t0"."Active") <> 1"#,
            #"("t0"."Active") <> TRUE"#),
        .init(
            "Id eq 1 eq true",
            #"(("t0"."Id" = {1})) = 1"#,
            #"(("t0"."Id" = {1})) = TRUE"#),
    ]

    private static let enumerationsAndBytes: [Translation] = [
        .init(
            "Grade has 'Silver'",
            #"("t0"."Grade" & {2}) = {2}"#),
        .init(
            "Grade eq null",
            #""t0"."Grade" IS NULL"#),
        .init(
            "Grade ne 'Silver'",
            #""t0"."Grade" <> {2}"#),
        .init(
            "Grade gt 'Silver'",
            #""t0"."Grade" > {2}"#),
        .init(
            "Grade in ('Silver','Gold')",
            #"(("t0"."Grade" = {2}) OR ("t0"."Grade" = {4}))"#),
        .init(
            "Photo eq binary'AQI='",
            #""t0"."Photo" = {2 bytes}"#),
        .init(
            "Photo gt binary'AQI='",
            #""t0"."Photo" > {2 bytes}"#),
    ]

    @Test(arguments: nulls)
    func nullsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: truths)
    func truthsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: enumerationsAndBytes)
    func enumerationsAndBytesAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }
}
