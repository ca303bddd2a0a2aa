import ODataText

/// The registration of a client with its service, kept in `~/ClientRegistration/<service>.json`.
package struct RegistrationFile: Sendable {
    private let folder: PrivateFolder
    private let path: String

    /// What the file says.
    package struct Registration: Sendable, Hashable {
        package var id: Int64
        package var guid: String

        package init(id: Int64, guid: String) {
            self.id = id
            self.guid = guid
        }
    }

    package init(_ folder: PrivateFolder, service: String) {
        self.folder = folder
        path = "~/ClientRegistration/\(service).json"
    }

    /// The registration that was made before; nil when there is none.
    ///
    /// - Throws: `malformedText` or `invalidPayload` for a file that says something else.
    package func read() throws -> Registration? {
        guard let bytes = try folder.read(path) else { return nil }
        let json = try JSONValue(parsing: bytes)
        guard let id = json["ClientID"]?.number.flatMap({ Int64($0) }),
            let guid = json["ClientGUID"]?.string
        else {
            throw ODataError(
                .invalidPayload, "Expected ClientID and ClientGUID in the registration file.")
        }
        return Registration(id: id, guid: guid)
    }

    /// Keeps the registration in the place of any before.
    package func write(_ registration: Registration) throws {
        let object = JSONObject([
            JSONObject.Member(name: "ClientID", value: .number("\(registration.id)")),
            JSONObject.Member(name: "ClientGUID", value: .string(registration.guid)),
        ])
        try folder.write(JSONValue.object(object).bytes, to: path)
    }

    /// Forgets the registration; nothing happens where there is none.
    package func remove() throws { try folder.remove(path) }
}
