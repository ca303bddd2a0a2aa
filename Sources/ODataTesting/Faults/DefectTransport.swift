import Foundation
import ODataQuery
import ODataText
import ODataTransport
import Synchronization

/// A transport with a planted defect, to prove that a harness finds it: what a client with the defect would do to its
/// service, or believe of it.
package final class DefectTransport: HTTPTransport {
    /// What is wrong.
    package enum Defect: String, Sendable, CaseIterable {
        /// Requests carry no repeatability identity.
        case dropsIdentities
        /// A request gets another identity each time that it is sent.
        case renewsIdentities
        /// Every third change or delete counts as accepted without being sent.
        case claimsSuccess
        /// The third page of the first download of `Customers` is taken for the second.
        case skipsPage
        /// A delta with changes counts as one without.
        case emptiesDelta
    }

    private let base: any HTTPTransport
    private let defect: Defect
    private let count = Mutex(0)

    package init(_ base: any HTTPTransport, _ defect: Defect) {
        self.base = base
        self.defect = defect
    }

    /// `base` with the defect of this name; `base` itself when there is none.
    package static func wrapping(
        _ base: any HTTPTransport, named name: String
    ) -> any HTTPTransport {
        Defect(rawValue: name).map { DefectTransport(base, $0) } ?? base
    }

    package func send(
        _ request: RequestMessage, options: TransportOptions
    ) throws -> any HTTPAnswer {
        switch defect {
        case .dropsIdentities:
            return try base.send(Self.rewritten(request) { _ in nil }, options: options)
        case .renewsIdentities:
            let renewed = Self.rewritten(request) { field in
                guard field.lowercased().hasPrefix("repeatability-request-id") else { return field }
                return "Repeatability-Request-ID: \(UUID().uuidString.lowercased())"
            }
            return try base.send(renewed, options: options)
        case .claimsSuccess:
            guard ["PATCH", "DELETE"].contains(request.method), next() % 3 == 0 else {
                return try base.send(request, options: options)
            }
            // With the mark of a service: without one the client takes it for somebody else's.
            return BufferedAnswer(
                ResponseMessage(status: 204, headers: ["OData-Version": "4.0"]))
        case .skipsPage:
            let answer = try base.send(request, options: options).readAll()
            return request.url.contains("Customers")
                ? try skipPage(answer, options) : BufferedAnswer(answer)
        case .emptiesDelta:
            let answer = try base.send(request, options: options).readAll()
            return BufferedAnswer(request.url.contains("deltatoken") ? emptied(answer) : answer)
        }
    }

    private func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }

    /// The request with its lines of repeatability headers changed or left out, also those inside a batch.
    private static func rewritten(
        _ request: RequestMessage, _ change: (String) -> String?
    ) -> RequestMessage {
        func isIdentity(_ line: String) -> Bool {
            line.lowercased().hasPrefix("repeatability-")
        }
        var request = request
        var headers = HeaderFields()
        for field in request.headers.fields {
            let line = "\(field.name): \(field.value)"
            guard isIdentity(line) else {
                headers[field.name] = field.value
                continue
            }
            if let changed = change(line), let colon = changed.firstIndex(of: ":") {
                headers[field.name] = String(changed[changed.index(colon, offsetBy: 2)...])
            }
        }
        request.headers = headers
        if request.url.hasSuffix("$batch") {
            let lines = String(decoding: request.body, as: UTF8.self)
                .components(separatedBy: "\r\n")
            request.body = Array(
                lines.compactMap { isIdentity($0) ? change($0) : $0 }
                    .joined(separator: "\r\n").utf8)
        }
        return request
    }

    /// The page after this one, when it has one; once.
    private func skipPage(
        _ answer: ResponseMessage, _ options: TransportOptions
    ) throws -> any HTTPAnswer {
        guard let json = try? JSONValue(parsing: answer.body, duplicates: .keepLast),
            let link = json["@odata.nextLink"]?.string ?? json["@nextLink"]?.string,
            link.contains("skiptoken"), next() == 1
        else { return BufferedAnswer(answer) }
        return try base.send(
            RequestMessage(method: "GET", url: link, headers: ["Accept": "application/json"]),
            options: options)
    }

    private func emptied(_ answer: ResponseMessage) -> ResponseMessage {
        let text = String(decoding: answer.body, as: UTF8.self)
        guard let start = text.range(of: "\"value\":["),
            let end = text.range(of: "]", options: .backwards), start.upperBound < end.lowerBound
        else { return answer }
        var answer = answer
        answer.body = Array(
            (text[..<start.upperBound] + text[end.lowerBound...]).utf8)
        return answer
    }
}
