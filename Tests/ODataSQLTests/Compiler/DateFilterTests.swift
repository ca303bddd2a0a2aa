import ODataSQL
import Testing

/// Dates, instants at their own offset, and durations.
@Suite struct DateFilterTests {
    private static let partsOfDates: [Translation] = [
        .init(
            "year(Changed) eq 2031",
            #"CAST(substr(CASE WHEN coalesce("t0"."Changed#offset", 0) = 0 THEN "t0"."Changed" ELSE strftime('%Y-%m-%dT%H:%M:%S', substr("t0"."Changed", 1, 19), "t0"."Changed#offset" || ' minutes') END, 1, 4) AS INTEGER) = {2031}"#,
            #"CAST(substr(CASE WHEN coalesce("t0"."Changed#offset", 0) = 0 THEN "t0"."Changed" ELSE (_odata_civil(_odata_epoch(substr("t0"."Changed", 1, 19)) + 60 * "t0"."Changed#offset") COLLATE "C") END, 1, 4) AS bigint) = {2031}"#
        ),
        .init(
            "month(Since) eq 2",
            #"CAST(substr("t0"."Since", 6, 2) AS INTEGER) = {2}"#,
            #"CAST(substr("t0"."Since", 6, 2) AS bigint) = {2}"#),
        .init(
            "day(Since) eq 2",
            #"CAST(substr("t0"."Since", 9, 2) AS INTEGER) = {2}"#,
            #"CAST(substr("t0"."Since", 9, 2) AS bigint) = {2}"#),
        .init(
            "hour(Wakes) ge 8",
            #"CAST(substr("t0"."Wakes", 1, 2) AS INTEGER) >= {8}"#,
            #"CAST(substr("t0"."Wakes", 1, 2) AS bigint) >= {8}"#),
        .init(
            "minute(Changed) eq 1",
            #"CAST(substr(substr(CASE WHEN coalesce("t0"."Changed#offset", 0) = 0 THEN "t0"."Changed" ELSE strftime('%Y-%m-%dT%H:%M:%S', substr("t0"."Changed", 1, 19), "t0"."Changed#offset" || ' minutes') END, 12), 4, 2) AS INTEGER) = {1}"#,
            #"CAST(substr(substr(CASE WHEN coalesce("t0"."Changed#offset", 0) = 0 THEN "t0"."Changed" ELSE (_odata_civil(_odata_epoch(substr("t0"."Changed", 1, 19)) + 60 * "t0"."Changed#offset") COLLATE "C") END, 12), 4, 2) AS bigint) = {1}"#
        ),
        .init(
            "second(Wakes) eq 1",
            #"CAST(substr(substr("t0"."Wakes", 7), 1, 2) AS INTEGER) = {1}"#,
            #"CAST(substr(substr("t0"."Wakes", 7), 1, 2) AS bigint) = {1}"#),
        .init(
            "fractionalseconds(Wakes) lt 0.5",
            #"_odata_order(CASE WHEN substr(substr("t0"."Wakes", 7), 3) = '' THEN '0' ELSE '0' || substr(substr("t0"."Wakes", 7), 3) END) < {2 bytes}"#,
            #"CAST(CAST(CASE WHEN substr(substr("t0"."Wakes", 7), 3) = '' THEN '0' ELSE '0' || substr(substr("t0"."Wakes", 7), 3) END AS numeric) AS numeric) < CAST({0.5} AS numeric)"#
        ),
        .init(
            "date(Changed) eq 2031-05-01",
            #"substr(CASE WHEN coalesce("t0"."Changed#offset", 0) = 0 THEN "t0"."Changed" ELSE strftime('%Y-%m-%dT%H:%M:%S', substr("t0"."Changed", 1, 19), "t0"."Changed#offset" || ' minutes') END, 1, 10) = {2031-05-01}"#,
            #"substr(CASE WHEN coalesce("t0"."Changed#offset", 0) = 0 THEN "t0"."Changed" ELSE (_odata_civil(_odata_epoch(substr("t0"."Changed", 1, 19)) + 60 * "t0"."Changed#offset") COLLATE "C") END, 1, 10) = {2031-05-01}"#
        ),
        .init(
            "time(Changed) lt 12:00:00",
            #"(substr(substr(CASE WHEN coalesce("t0"."Changed#offset", 0) = 0 THEN "t0"."Changed" ELSE strftime('%Y-%m-%dT%H:%M:%S', substr("t0"."Changed", 1, 19), "t0"."Changed#offset" || ' minutes') END, 12), 1, 6) || substr("t0"."Changed", 18)) < {12:00:00}"#,
            #"(substr(substr(CASE WHEN coalesce("t0"."Changed#offset", 0) = 0 THEN "t0"."Changed" ELSE (_odata_civil(_odata_epoch(substr("t0"."Changed", 1, 19)) + 60 * "t0"."Changed#offset") COLLATE "C") END, 12), 1, 6) || substr("t0"."Changed", 18)) < {12:00:00}"#
        ),
        .init(
            "totaloffsetminutes(Changed) eq 60",
            #"CASE WHEN "t0"."Changed" IS NOT NULL THEN coalesce("t0"."Changed#offset", 0) END = {60}"#
        ),
        .init(
            "totalseconds(Wait) gt 60",
            #"_odata_order(_odata_total_seconds("t0"."Wait")) > {2 bytes}"#,
            #"CAST(CAST("t0"."Wait" AS numeric) AS numeric) > CAST({60} AS numeric)"#),
    ]

    private static let instants: [Translation] = [
        .init(
            "Changed lt now()",
            #""t0"."Changed" < strftime('%Y-%m-%dT%H:%M:%f', 'now')"#,
            #""t0"."Changed" < (to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') COLLATE "C")"#
        ),
        .init(
            "Changed eq mindatetime()",
            #""t0"."Changed" = '0001-01-01T00:00:00'"#),
        .init(
            "Changed lt maxdatetime()",
            #""t0"."Changed" < '9999-12-31T23:59:59.999999999999'"#),
        .init(
            "Changed in (2031-05-01T10:30:00Z,2031-05-01T10:30:00.123456789012Z)",
            #""t0"."Changed" IN ({2031-05-01T10:30:00}, {2031-05-01T10:30:00.123456789012})"#),
    ]

    private static let durations: [Translation] = [
        .init(
            "Since add duration'P1D' eq 2031-05-02",
            #"_odata_temporal('add', 'D', "t0"."Since", 'P', {P1D}) = {2031-05-02}"#,
            #"(_odata_moved('D', _odata_epoch("t0"."Since") + CAST(CAST({86400} AS numeric) AS numeric)) COLLATE "C") = {2031-05-02}"#
        ),
        .init(
            "Changed sub Changed gt duration'PT0S'",
            #"_odata_duration_order(_odata_temporal('sub', 'I', "t0"."Changed", 'I', "t0"."Changed")) > {1 bytes}"#,
            #"_odata_period(_odata_epoch("t0"."Changed") - _odata_epoch("t0"."Changed")) > CAST({0} AS numeric)"#
        ),
        .init(
            "Since sub 2031-05-01 gt duration'P1D'",
            #"_odata_duration_order(_odata_temporal('sub', 'D', "t0"."Since", 'D', {2031-05-01})) > {3 bytes}"#,
            #"_odata_period(_odata_epoch("t0"."Since") - _odata_epoch({2031-05-01})) > CAST({86400} AS numeric)"#
        ),
        .init(
            "Wait add duration'PT1M' lt duration'PT2M'",
            #"_odata_duration_order(_odata_temporal('add', 'P', "t0"."Wait", 'P', {PT1M})) < {2 bytes}"#,
            #"_odata_period(CAST("t0"."Wait" AS numeric) + CAST(CAST({60} AS numeric) AS numeric)) < CAST({120} AS numeric)"#
        ),
        .init(
            "Wait mul 2 gt duration'PT2M'",
            #"_odata_duration_order(_odata_temporal('mul', 'P', "t0"."Wait", 'N', {2})) > {2 bytes}"#,
            #"_odata_period(CAST("t0"."Wait" AS numeric) * CAST({2} AS numeric)) > CAST({120} AS numeric)"#
        ),
        .init(
            "-Wait lt duration'PT0S'",
            #"_odata_duration_order(_odata_temporal('sub', 'P', 'PT0S', 'P', "t0"."Wait")) < {1 bytes}"#,
            #"(-("t0"."Wait")) < CAST({0} AS numeric)"#),
    ]

    @Test(arguments: partsOfDates)
    func partsOfDatesAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: instants)
    func instantsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: durations)
    func durationsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }
}
