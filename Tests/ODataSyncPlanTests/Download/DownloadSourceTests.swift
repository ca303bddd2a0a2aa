import ODataSyncPlan
import Testing

@Suite struct DownloadSourceTests {
    @Test(arguments: [
        ("Orders", false), ("Orders?$filter=Note eq 'x'", false), ("Orders?preselect=ID", false),
        ("Orders('$select=')", false), ("Orders?$filter=contains(Note,'$select')", false),
        ("Orders?$select=ID", true), ("Orders?%24select=ID", true), ("Orders?$SELECT=ID", true),
        ("Orders?$top=3&select=ID", true), ("Orders?$expand=Items(select=ID)", true),
        ("Orders?$expand=Items($filter=ID%20gt%201;$select=ID)", true),
    ])
    func aPartIsBroughtWhereTheQuerySelects(url: String, selects: Bool) {
        #expect(DownloadSource(entitySet: "Orders", url: url, bit: 0).selects == selects)
    }
}
