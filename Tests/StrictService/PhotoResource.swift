import Foundation

/// Media entities: the body of a creation is the content, never properties (Protocol 4.01, 11.4.7).
struct PhotoResource {
    let face: V4Face
    let rest: [PathSegment]

    func answer(
        _ segment: PathSegment, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        guard segment.hasParentheses else { return try collection(&workshop) }
        let key = try segment.key()
        guard let photo = workshop.photos[key] else { throw face.missing("Photos(\(key))") }
        guard let next = rest.first else { return try entity(photo, &workshop) }
        guard next.name == "$value" else { throw face.missing(next.name) }
        return try content(photo, &workshop)
    }

    static func json(_ photo: Workshop.Photo) -> [String: Any] {
        [
            "@odata.etag": photo.tag, "@odata.mediaEtag": photo.content.tag,
            "@odata.mediaContentType": photo.content.type,
            "@odata.mediaReadLink": "Photos(\(photo.id))/$value",
            "@odata.mediaEditLink": "Photos(\(photo.id))/$value",
            "Id": photo.id, "Name": photo.name ?? NSNull(),
        ]
    }

    private func collection(_ workshop: inout Workshop) throws(Refusal) -> StrictAnswer {
        let request = face.request
        guard request.method == "POST" else {
            try face.checkRead()
            return face.list(
                "Photos", workshop.photos.values.sorted { $0.id < $1.id }.map(Self.json))
        }
        guard request["Content-Type"]?.hasPrefix("image/") == true else {
            throw Refusal(
                415, "Protocol 4.01, 11.4.7.1",
                "a photo is created from its content, found \(request["Content-Type"] ?? "no type")"
            )
        }
        let photo = Workshop.Photo(
            id: workshop.newKey(), name: nil,
            content: Workshop.Content(type: request["Content-Type"] ?? "", bytes: request.body))
        workshop.photos[photo.id] = photo
        workshop.effects.append("create Photos(\(photo.id))")
        return face.entity("Photos", Self.json(photo), tag: photo.tag, status: 201)
    }

    private func entity(
        _ photo: Workshop.Photo, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        var photo = photo
        switch face.request.method {
        case "PATCH":
            try HeaderRules.checkJSONBody(face.request)
            try HeaderRules.checkTag(face.request, photo.tag)
            let body = try JSONText.object(face.request.body, "Protocol 4.01, 11.4.3")
            guard Set(body.keys).isSubset(of: ["Name", "Id"]) else {
                throw Refusal(400, "Protocol 4.01, 11.4.3", "undeclared: \(body.keys.sorted())")
            }
            photo.name = body["Name"] as? String
            photo.version += 1
            workshop.photos[photo.id] = photo
            workshop.effects.append("update Photos(\(photo.id))")
            return StrictAnswer(status: 204, headers: [("ETag", photo.tag)])
        case "DELETE":
            try HeaderRules.checkTag(face.request, photo.tag)
            workshop.photos[photo.id] = nil
            workshop.effects.append("delete Photos(\(photo.id))")
            return .nothing
        default:
            try face.checkRead()
            return face.entity("Photos", Self.json(photo), tag: photo.tag)
        }
    }

    private func content(
        _ photo: Workshop.Photo, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        var photo = photo
        guard face.request.method != "GET" else {
            return try ByteRanges.answer(photo.content, face.request)
        }
        guard face.request.method == "PUT" else {
            throw Refusal(405, "Protocol 4.01, 11.4.7", "\(face.request.method) of a medium")
        }
        try HeaderRules.checkTag(face.request, photo.content.tag)
        photo.content = Workshop.Content(
            type: face.request["Content-Type"] ?? "", bytes: face.request.body,
            version: photo.content.version + 1)
        workshop.photos[photo.id] = photo
        workshop.effects.append("put Photos(\(photo.id))/$value")
        return StrictAnswer(status: 204, headers: [("ETag", photo.content.tag)])
    }
}
