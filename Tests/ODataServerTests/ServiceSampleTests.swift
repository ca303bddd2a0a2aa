import ErrorFixture
import Foundation
import ODataQuery
import ODataServer
import ODataText
import Testing

@Suite struct ServiceSampleTests {
    private func get(_ service: ODataService, _ url: String, _ headers: HeaderFields = [:])
        -> ResponseMessage
    {
        var headers = headers
        headers["Host"] = "h"
        return service.respond(to: RequestMessage(method: "GET", url: url, headers: headers))
    }

    @Test func theSampleIsMadeOnceAndEverySetIsReadable() throws {
        let directory = try TemporaryDirectory()
        let configuration = ServiceConfiguration(
            databasePath: directory.file("s.sqlite"),
            sample: ServiceConfiguration.Sample(scale: 400, seed: 5))
        let service = try ODataService(configuration)
        #expect(service.notes.isEmpty)
        var total = 0
        for set in ["Customers", "Sites", "Equipment", "WorkOrders", "TimeEntries", "Photos"] {
            var url: String? = "/" + set
            while let next = url {
                let page = get(service, next, ["Prefer": "odata.maxpagesize=50"])
                #expect(page.status == 200, "\(next): \(page.text.prefix(300))")
                total += page.items.count
                url = page.nextLink
            }
        }
        #expect(total == 400)
        let first = get(service, "/WorkOrders(1)?$expand=Site($expand=Customer),TimeEntries")
        #expect(first.json["Site"]?["Customer"]?["Name"]?.string?.isEmpty == false)
        try service.close()
        let again = try ODataService(configuration)
        #expect(get(again, "/WorkOrders/$count").text == "100")
        #expect(
            get(again, "/WorkOrders(1)").text == get(service: again, directory: directory))
    }

    private func get(service: ODataService, directory: TemporaryDirectory) -> String {
        get(service, "http://h/WorkOrders(1)").text
    }

    @Test func unknownSamplesAndMissingFilesAreRefused() throws {
        let directory = try TemporaryDirectory()
        let none = directory.file("none.sqlite")
        #expect(
            failure { try ODataService(ServiceConfiguration(databasePath: none)) }
                == Failure(.storage, at: .path(none)))
        #expect(
            failure {
                try ODataService(
                    ServiceConfiguration(
                        databasePath: directory.file("x.sqlite"),
                        sample: ServiceConfiguration.Sample(name: "nothing")))
            } == Failure(.usage, "Expected the sample fieldservice, found another name."))
        try Data("this is not a database, and long enough to tell".utf8).write(
            to: URL(fileURLWithPath: directory.file("text.sqlite")))
        let text = directory.file("text.sqlite")
        #expect(
            failure { try ODataService(ServiceConfiguration(databasePath: text)) }
                == Failure(.storage, at: .path(text)))
    }
}
