import Foundation

/// Reads of what a tool has and leads to: properties, related entities and links (V2 URI Conventions, 3.1 and 3.2).
struct V2Parts {
    let face: V2Face

    func read(
        _ parts: [String], of segment: PathSegment, _ workshop: Workshop
    ) throws(Refusal) -> StrictAnswer {
        let key = try segment.key()
        guard let tool = workshop.tools[key] else {
            throw Refusal(404, "V2 Operations", "Tools(\(key)) is not there")
        }
        switch parts {
        case ["Owner"]:
            guard let id = tool.ownerID, let name = workshop.members[id] else { return .nothing }
            return try face.single(AtomText.Entry(member: id, name))
        case ["Helpers"]:
            return try face.feed(
                "Members", members(key, workshop).map(AtomText.Entry.init(member:_:)))
        case ["$links", "Helpers"]:
            return try links(members(key, workshop).map(\.id))
        case ["Title"]:
            guard let title = tool.title else { return .nothing }
            try refuseAtom()
            return .json(["d": ["Title": title]])
        default: throw Refusal(404, "V2 URI Conventions, 3.1", face.request.target)
        }
    }

    private func members(_ key: Int, _ workshop: Workshop) -> [(id: Int, name: String)] {
        (workshop.helpers[key] ?? []).compactMap { id in workshop.members[id].map { (id, $0) } }
    }

    private func links(_ members: [Int]) throws(Refusal) -> StrictAnswer {
        let uris = members.map { "\(face.root)Members(\($0))" }
        guard try face.wantsAtom() else {
            return .json(["d": ["results": uris.map { ["uri": $0] }]])
        }
        let text = uris.map { "<uri>\($0)</uri>" }.joined()
        return .text(
            #"<links xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices">\#(text)</links>"#,
            "application/xml")
    }

    private func refuseAtom() throws(Refusal) {
        guard try face.wantsAtom() else { return }
        throw Refusal(406, "V2 Operations, Content Negotiation", "properties are JSON here")
    }
}
