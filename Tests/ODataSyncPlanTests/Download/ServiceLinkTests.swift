import ODataSyncPlan
import Testing

@Suite struct ServiceLinkTests {
    private let root = "https://h.example/odata/"

    @Test(arguments: [
        "Orders?$skiptoken=5", "/odata/Orders?$skiptoken=5", "https://h.example/odata/Orders?x=1",
        "HTTPS://H.example:443/odata/Orders", "https://user@h.example/odata/Orders",
    ]) func ownLinksStayAsTheyAre(link: String) {
        #expect(ServiceLink.followable(link, root: root) == link)
    }

    @Test(arguments: [
        ("http://backend.invalid:8443/odata/Orders?$skiptoken=5", "/odata/Orders?$skiptoken=5"),
        ("http://h.example/odata/Orders", "/odata/Orders"),
        ("//backend.invalid/odata/Orders(1)/Tags", "/odata/Orders(1)/Tags"),
        ("https://h.example.evil/odata/", "/odata/"),
    ]) func linksOfAnotherOriginAreBasedOnTheRootWhenThePathFits(link: String, path: String) {
        #expect(ServiceLink.followable(link, root: root) == "https://h.example" + path)
    }

    @Test(arguments: [
        "https://elsewhere.example/files/1", "https://elsewhere.example/odatalike/Orders",
        "http://elsewhere.example", "ftp://h.example/files",
    ]) func linksThatLeadElsewhereAreNotFollowed(link: String) {
        #expect(ServiceLink.followable(link, root: root) == nil)
    }

    @Test func theHostIsNamedWithoutWhoAsks() {
        let link = "https://me:secret@elsewhere.example:1/x"
        #expect(ServiceLink.host(of: link) == "elsewhere.example:1")
        #expect(ServiceLink.host(of: "Orders") == nil)
    }
}
