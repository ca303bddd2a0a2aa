import SAPOData

private let urls = [
    "Set5?$filter=Property0 gt 10 and contains(Property1,'saw')&$orderby=Property1 desc&$top=20",
    "Set5(7)?$select=ID,Property1,Property5/Height&$expand=Others($filter=Property4 eq true;$top=5)",
    "Set5(7)/Others/$count?$filter=Property3 lt 2031-05-01T08:30:00Z",
    "Set5?$filter=Others/any(o:o/Property2 gt 2.50 or o/ID eq 3)&$count=true&$skip=40",
    "Set5?$apply=filter(Property0 lt 9)/groupby((Property1),aggregate(Property2 with sum as Total))&$orderby=Total",
    "Set5?$filter=ID in (1,2,3,4,5,6,7,8) and not startswith(tolower(Property1),'a')&$search=saw",
]

/// Reads, checks and writes URLs again and again.
func readAndWriteURLs(rounds: Int) throws {
    let document = try parser().parse(metadataDocument(bytes: 100_000), url: "")
    let context = DataContext(csdl: document)
    let parser = QueryParser(context: context)
    var written = 0
    let start = cpuSeconds()
    for _ in 0..<rounds {
        for url in urls {
            let parts = url.split(separator: "?", maxSplits: 1).map(String.init)
            let query = try parser.parse(requestPath: parts[0], queryString: parts[1])
            written += try QueryFormatter.format(query: query, context: context).utf8.count
        }
    }
    let seconds = (cpuSeconds() - start) / Double(rounds * urls.count)
    print("seconds=\(seconds) written=\(written) peak_kib=\(peakKiB())")
}
