/// The rules of the OData ABNF as data: OData ABNF Construction Rules 4.01, with what Data Aggregation 4.0 and
/// Temporal Data 4.0 add.
///
/// The rules are those of the OASIS work products "OData ABNF Construction Rules Version 4.01", "OData Aggregation ABNF
/// Construction Rules Version 4.0" and "OData Temporal ABNF Construction Rules Version 4.0", without their comments and
/// in a layout of our own; <https://github.com/oasis-tcs/odata-abnf> has the originals. Their notice:
///
/// Copyright (c) OASIS Open. All Rights Reserved. All capitalized terms have the meanings assigned to them in the
/// OASIS Intellectual Property Rights Policy. This document and translations of it may be copied and furnished to
/// others, and derivative works that comment on or otherwise explain it or assist in its implementation may be
/// prepared, copied, published, and distributed, in whole or in part, without restriction of any kind, provided that
/// the above copyright notice and this section are included on all such copies and derivative works.
enum GrammarText {
    static var sections: [String] {
        [
            paths, options, contextURLs, expressions, calls, json, names, literals, headers,
            punctuation, base, aggregation, temporal,
        ]
    }
}
