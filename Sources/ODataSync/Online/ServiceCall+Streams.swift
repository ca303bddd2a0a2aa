import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataTransport
import ODataWorld

/// Where the content of a media entity or of a stream property is.
package struct StreamPlace: Sendable {
    package var entity: EntityPlace
    /// Nil for the content of a media entity.
    package var property: PropertyDefinition?
    /// What the service has said about where it is read and changed.
    package var readLink: String?
    package var editLink: String?
    /// The tag of the content.
    package var entityTag: String?

    package init(
        entity: EntityPlace, property: PropertyDefinition?, readLink: String?, editLink: String?,
        entityTag: String?
    ) {
        self.entity = entity
        self.property = property
        self.readLink = readLink
        self.editLink = editLink
        self.entityTag = entityTag
    }
}

extension ServiceCall {
    /// Replaces content (Protocol 4.01, sections 11.4.7.2 and 11.4.8.1).
    ///
    /// - Returns: its new tag, where the service tells it.
    package func upload(
        _ content: any RequestContent, _ head: RequestWriter.StreamBody, to place: StreamPlace
    ) throws -> String? {
        let writer = writer(place.entity.graph)
        let message = writer.putStream(
            head, at: try url(of: place, changes: true), entityTag: place.entityTag)
        return try exchange(message, writer, streaming: content).headers["ETag"]
    }

    /// Content, pulled while it is read.
    package func download(_ place: StreamPlace) throws -> ResumingRead {
        // Encoded bytes could not be counted, which going on after a break needs.
        let message = complete(
            RequestMessage(
                method: "GET", url: try url(of: place, changes: false),
                headers: ["Accept": "*/*", "Accept-Encoding": "identity"]),
            writer(place.entity.graph))
        return try begin(message)
    }

    /// Sends the request and waits for what comes before the content.
    ///
    /// It stays a function of its own: inlined, it makes the optimiser of Swift 6.3.1 fail.
    @inline(never)
    private func begin(_ message: RequestMessage) throws -> ResumingRead {
        let started = world.uptime()
        do {
            let source = try ResumingRead(connection, message, cancellation: cancellation)
            guard (200..<300).contains(source.status) else {
                throw ServiceRefusal.error(try source.readAll(), of: message.url)
            }
            let answer = ResponseMessage(status: 200, headers: source.headers)
            observer.answered(message, answer, after: world.uptime() - started)
            return source
        } catch {
            observer.failed(message, error)
            throw error
        }
    }

    /// Removes the content of a stream property (Protocol 4.01, section 11.4.8.2).
    package func deleteStream(_ place: StreamPlace) throws {
        let writer = writer(place.entity.graph)
        _ = try exchange(
            writer.delete(at: try url(of: place, changes: true), entityTag: place.entityTag),
            writer)
    }

    private func url(of place: StreamPlace, changes: Bool) throws -> String {
        let known = changes ? place.editLink : place.readLink ?? place.editLink
        if let known {
            // Content may lie elsewhere, but not where only the service's name for itself differs.
            let own = ServiceLink.followable(known, root: connection.root) ?? known
            return ServiceURL.relative(own, root: connection.root)
        }
        guard let property = place.property else {
            return try address.text(place.entity) + "/$value"
        }
        return try address.text(place.entity, property)
    }

    /// Sends a request whose body is a stream, read while it is sent.
    func exchange(
        _ message: RequestMessage, _ writer: RequestWriter, streaming content: any RequestContent
    ) throws -> ResponseMessage {
        guard streamsUploads else {
            var whole = message
            whole.body = try content.readAll(limit: Self.answerLimit)
            return try exchange(whole, writer)
        }
        return try exchange(message, writer, content: content)
    }
}
