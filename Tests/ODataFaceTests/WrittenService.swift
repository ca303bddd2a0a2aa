import Foundation
import OData
import ODataQuery
import ODataServer
import ODataTesting
import Synchronization

/// A service of texts written by hand, for what no table of SQL has: derived and open types, contained entities, singletons
/// and bound operations. Answers are JSON by method and resource; what is asked and not written down is 404.
struct WrittenService: Sendable {
    private let answers: Answers
    private let service: LoopbackService
    let folder: URL

    private final class Answers: Sendable {
        let texts = Mutex<[String: String]>([:])
    }

    /// Runs a test; service and folder go with it.
    ///
    /// - Parameter answers: JSON by `GET Animals`, of an error with status 400; for `POST` and `PATCH` without one the body comes back, or nothing.
    static func run(
        _ answers: [String: String], _ body: @Sendable (WrittenService) async throws -> Void
    ) async throws {
        let folder = try TestFolder.makeFast("odata-written-")
        let place = try await onOwnThread { try WrittenService(answers, folder) }
        let result: Result<Void, any Error>
        do { result = .success(try await body(place)) } catch { result = .failure(error) }
        try FileManager.default.removeItem(at: folder)
        try result.get()
    }

    private init(_ texts: [String: String], _ folder: URL) throws {
        let answers = Answers()
        answers.texts.withLock { $0 = texts }
        (self.answers, self.folder) = (answers, folder)
        service = try LoopbackService { request, _ in .answer(Self.answer(request, answers)) }
    }

    /// Changes what is answered from now on.
    func put(_ request: String, _ text: String) { answers.texts.withLock { $0[request] = text } }

    func store(_ downloads: Download..., at file: String = "store.odata") async throws
        -> OfflineStore
    {
        guard let url = URL(string: service.root + "/") else { throw CocoaError(.fileNoSuchFile) }
        return try await OfflineStore(
            service: url, at: .file(folder.appendingPathComponent(file)), download: downloads)
    }

    /// Changes and calls that came, as `METHOD resource body`.
    var seen: [String] {
        service.requests.map { request in
            "\(request.method) \(Self.resource(request)) \(String(decoding: request.body, as: UTF8.self))"
        }
    }

    private static func resource(_ request: RequestMessage) -> String {
        let url = request.url.removingPercentEncoding ?? request.url
        return url.hasPrefix("/s/") ? String(url.dropFirst(3)) : url
    }

    private static func answer(_ request: RequestMessage, _ answers: Answers) -> ResponseMessage {
        let resource = resource(request)
        if resource == "$metadata" {
            return ResponseMessage(
                status: 200, headers: ["Content-Type": "application/xml"],
                body: Array((answers.texts.withLock { $0["GET $metadata"] } ?? metadata).utf8))
        }
        let known = answers.texts.withLock { texts in
            texts["\(request.method) \(resource)"]
                ?? texts["\(request.method) \(resource.split(separator: "?")[0])"]
        }
        let isError = known?.hasPrefix(#"{"error""#) == true
        let status = isError ? 400 : request.method == "POST" && known == nil ? 201 : 200
        let echo = request.method == "POST" ? String(decoding: request.body, as: UTF8.self) : nil
        guard let text = known ?? echo else {
            let isRead = request.method == "GET"
            return ResponseMessage(
                status: isRead ? 404 : 204,
                headers: ["Content-Type": "application/json", "OData-Version": "4.0"],
                body: isRead ? Array(#"{"error":{"code":"no","message":"Not here."}}"#.utf8) : [])
        }
        return ResponseMessage(
            status: status,
            headers: ["Content-Type": "application/json", "OData-Version": "4.0"],
            body: Array(text.utf8))
    }

    static let metadata = """
        <?xml version="1.0" encoding="UTF-8"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Demo" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Animal"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/>
            <NavigationProperty Name="Boss" Type="Demo.Animal"/>
            <NavigationProperty Name="Friends" Type="Collection(Demo.Animal)"/>
            <NavigationProperty Name="Toys" Type="Collection(Demo.Toy)"/></EntityType>
          <EntityType Name="Toy"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType>
          <EntityType Name="Dog" BaseType="Demo.Animal"><Property Name="Breed" Type="Edm.String"/></EntityType>
          <EntityType Name="Puppy" BaseType="Demo.Dog"><Property Name="Weeks" Type="Edm.Int32"/></EntityType>
          <EntityType Name="Item" OpenType="true"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/></EntityType>
          <EntityType Name="Order"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Lines" Type="Collection(Demo.Line)" ContainsTarget="true"/></EntityType>
          <EntityType Name="Line"><Key><PropertyRef Name="No"/></Key>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/></EntityType>
          <EntityType Name="Person"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Mood" Type="Edm.String"/></EntityType>
          <EnumType Name="Tone"><Member Name="Low" Value="0"/><Member Name="High" Value="1"/></EnumType>
          <ComplexType Name="Sound"><Property Name="Word" Type="Edm.String"/>
            <Property Name="Tone" Type="Demo.Tone"/></ComplexType>
          <Action Name="Bark" IsBound="true"><Parameter Name="it" Type="Demo.Dog"/>
            <Parameter Name="times" Type="Edm.Int32"/><Parameter Name="sounds" Type="Collection(Demo.Sound)"/>
            <ReturnType Type="Demo.Sound"/></Action>
          <Action Name="Tag" IsBound="true"><Parameter Name="it" Type="Demo.Order"/>
            <Parameter Name="mark" Type="Edm.Int32"/></Action>
          <Action Name="Tag" IsBound="true"><Parameter Name="it" Type="Demo.Animal"/>
            <Parameter Name="mark" Type="Edm.String"/></Action>
          <Action Name="Number" IsBound="true"><Parameter Name="it" Type="Demo.Line"/></Action>
          <Function Name="Heard" IsBound="true"><Parameter Name="it" Type="Collection(Demo.Animal)"/>
            <Parameter Name="tone" Type="Demo.Tone"/><Parameter Name="word" Type="Edm.String"/>
            <ReturnType Type="Collection(Demo.Animal)"/></Function>
          <Function Name="Sum"><Parameter Name="a" Type="Edm.Int32"/><ReturnType Type="Edm.Int32"/></Function>
          <Function Name="Sum"><Parameter Name="a" Type="Edm.Int32"/><Parameter Name="b" Type="Edm.Int32"/>
            <ReturnType Type="Edm.Int32"/></Function>
          <EntityContainer Name="C">
            <Annotation Term="Org.OData.Capabilities.V1.BatchSupported" Bool="false"/>
            <EntitySet Name="Animals" EntityType="Demo.Animal">
              <NavigationPropertyBinding Path="Boss" Target="Animals"/>
              <NavigationPropertyBinding Path="Friends" Target="Animals"/>
              <NavigationPropertyBinding Path="Toys" Target="Toys"/></EntitySet>
            <EntitySet Name="Toys" EntityType="Demo.Toy"/>
            <EntitySet Name="Items" EntityType="Demo.Item"/>
            <EntitySet Name="Orders" EntityType="Demo.Order"/>
            <Singleton Name="Me" Type="Demo.Person"/>
            <FunctionImport Name="Sum" Function="Demo.Sum"/>
          </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    static let animals = """
        {"value":[{"@odata.type":"#Demo.Dog","Id":1,"Name":"Rex","Breed":"Lab"},{"Id":2,"Name":"Tom"},
        {"@odata.type":"#Demo.Puppy","Id":3,"Name":"Pip","Breed":"Lab","Weeks":6}]}
        """
    static let items = """
        {"value":[{"Id":1,"Name":"a","Color":"red","Weight":2.5,"New":true,"Count":7,"Tags":["x","y"]},
        {"Id":2,"Name":"b","Color":"blue","Count":70},{"Id":3,"Name":"c"}]}
        """
    static let orders = """
        {"value":[{"Id":1,"Lines":[{"No":1,"Text":"Nut"},{"No":2,"Text":"Bolt"}]},{"Id":2,"Lines":[]}]}
        """
}
