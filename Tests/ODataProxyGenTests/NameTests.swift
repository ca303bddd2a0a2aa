import Foundation
import ODataProxyGen
import Testing

@Suite struct NameTests {
    @Test(arguments: [
        ("CompanyName", "companyName"), ("POItemPos", "poItemPos"),
        ("WBSElementID", "wbsElementID"),
        ("EIDInfected", "eidInfected"), ("ID", "id"), ("EMPNO", "empno"),
        ("REPORTSTATUSID", "reportstatusid"), ("FIRST_NAME", "firstName"),
        ("COUNT_LOC", "countLoc"),
        ("LOCATIONTYPE_ID", "locationtypeId"), ("collection_ID", "collectionID"),
        ("priority_code", "priorityCode"), ("to_Warehouse", "toWarehouse"),
        ("Order_Details", "orderDetails"), ("CustomerId", "customerID"),
        ("OrderedById", "orderedByID"), ("POId", "poid"), ("Id", "id"),
        ("BofEvery4Weeks", "bofEvery4Weeks"), ("Paid", "paid"), ("Größe", "größe"),
        ("名前", "名前"), ("2ndPhone", "_2ndPhone"), ("a b-c.d", "aBCD"), ("", "unnamed"),
        ("___", "unnamed"), ("a\nb", "aB"), ("x\u{202E}y", "xY"), ("💥", "unnamed"),
    ])
    func membersAreNamedByTheRules(_ name: String, _ expected: String) {
        #expect(SwiftName.member(name) == expected)
    }

    @Test(arguments: [
        ("Alphabetical_list_of_product", "AlphabeticalListOfProduct"), ("customer", "Customer"),
        ("POItem", "POItem"), ("1st", "_1st"), ("a\"; fatalError() //", "AFatalError"),
        ("", "Unnamed"),
    ])
    func typesAreNamedByTheRules(_ name: String, _ expected: String) {
        #expect(SwiftName.type(name) == expected)
    }

    @Test func aPrefixStandsInFrontOfTypes() {
        #expect(SwiftName.type("customer", prefix: "My") == "MyCustomer")
    }

    @Test func longNamesAreCut() {
        let name = String(repeating: "x", count: 10_000)
        #expect(SwiftName.member(name).count == SwiftName.maximumLength)
        #expect(SwiftName.type(name).count == SwiftName.maximumLength)
    }

    @Test func keywordsAreWrittenInBackTicks() {
        #expect(SwiftName("in").code == "`in`")
        #expect(SwiftName("inside").code == "inside")
    }

    @Test func aNameIsGivenOnce() {
        var scope = NameScope(reserved: ["isNew"])
        let names = ["a", "a", "A", "isNew", "isNew", "a1", "a"].map { scope.give($0).text }
        #expect(names == ["a", "a1", "A", "isNew_", "isNew_1", "a11", "a2"])
    }

    @Test func filesDoNotDifferByCaseOnly() {
        var scope = NameScope(reserved: ["Data"], ignoresCase: true)
        #expect(
            ["Item", "ITEM", "data"].map { scope.give($0).text } == ["Item", "ITEM1", "data_"])
    }

    // MARK: Reserved names

    @Test func membersOfTheBaseClassesAreReserved() throws {
        let declared = try DeclaredMembers(of: [
            "EntityValue", "ComplexValue", "StructureBase", "DataValue", "ObjectBase",
        ]).names
        #expect(declared.contains("isLocal") && declared.contains("ofType"))
        #expect(declared.subtracting(ReservedNames.structureMembers).sorted() == [])
        #expect(ReservedNames.structureMembers.subtracting(declared).sorted() == [])
    }

    @Test func membersOfTheServiceClassesAreReserved() throws {
        let declared = try DeclaredMembers(of: [
            "BlockingDataService", "DataService", "OnlineDataService", "OfflineDataService",
            "DataServiceAsync", "OnlineDataServiceAsync", "OfflineDataServiceAsync",
            "LegacyServiceCalls", "LegacyDataService", "ObjectBase",
        ]).names
        #expect(declared.contains("fetchMetadata"))
        #expect(declared.subtracting(ReservedNames.serviceMembers).sorted() == [])
        #expect(ReservedNames.serviceMembers.subtracting(declared).sorted() == [])
    }
}

/// The public members that the sources of the library declare for some classes, by name.
private struct DeclaredMembers {
    private(set) var names: Set<String> = []

    init(of types: Set<String>) throws {
        let declaration = try Regex<(Substring, Substring)>(
            #"^(?:[@\w()]+ )*(?:class|extension) (\w+)"#)
        let member = try Regex<(Substring, Substring, Substring)>(
            #"^    ((?:@?[\w()]+ )+)(?:var|let|func) `?(\w+)"#)
        for folder in ["ODataClasses", "ODataProviders", "SAPOfflineOData"] {
            let root = Package.folder.appendingPathComponent("Sources/\(folder)")
            let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
            for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
                var isWanted = false
                for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                    if let match = line.firstMatch(of: declaration) {
                        isWanted = types.contains(String(match.1))
                    } else if line.first == "}" {
                        isWanted = false
                    }
                    guard isWanted, let match = line.firstMatch(of: member) else { continue }
                    let words = match.1.split(separator: " ")
                    if words.contains("public") || words.contains("open") {
                        names.insert(String(match.2))
                    }
                }
            }
        }
    }
}

/// Where the package is.
enum Package {
    static let folder: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        return url
    }()
}
