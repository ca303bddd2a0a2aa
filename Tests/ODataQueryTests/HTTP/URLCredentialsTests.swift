import ODataQuery
import Testing

/// Credentials in URLs are told from the rest.
@Suite struct URLCredentialsTests {
    static let cases: [(url: String, rest: String, user: String?, password: String?)] = [
        ("http://user:word@host:81/a/", "http://host:81/a/", "user", "word"),
        ("https://user@host", "https://host", "user", ""),
        ("https://a%40b.c:p%3Aq%25@host/x", "https://host/x", "a@b.c", "p:q%"),
        ("https://a:b:c@d@host/x", "https://host/x", "a", "b:c@d"),
        ("https://a:%zz@host/", "https://host/", "a", "%zz"),
        ("https://@host/", "https://host/", nil, nil),
        ("https://:@host/", "https://host/", nil, nil),
        ("https://host/a@b/", "https://host/a@b/", nil, nil),
        ("https://host?q=a@b", "https://host?q=a@b", nil, nil),
        ("http://[::1]:80/", "http://[::1]:80/", nil, nil),
        ("Orders@x", "Orders@x", nil, nil), ("", "", nil, nil),
    ]

    @Test(arguments: cases) func aURLComesWithoutWhatStandsInFrontOfItsHost(
        url: String, rest: String, user: String?, password: String?
    ) {
        let (found, credentials) = URLCredentials.separated(from: url)
        #expect(found == rest)
        #expect(credentials?.user == user)
        #expect(credentials?.password == password)
    }
}
