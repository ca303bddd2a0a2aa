public import Foundation
import ODataClasses

/// How much an operation has transferred so far.
public struct OfflineODataProgress: Sendable, Hashable {
    /// Bytes of request bodies sent.
    public let bytesSent: Int
    /// Bytes of answers received, as the network carried or unpacked them.
    public let bytesReceived: Int
}

/// How much of a store's first data has arrived.
public struct OfflineODataFileDownloadProgress: Sendable, Hashable {
    /// Bytes received so far.
    public let bytesReceived: Int
    /// Bytes in all; 0 while that is not known, which it is with the last notice only.
    public let fileSize: Int
}

/// How much of a copy of the store has been sent.
public struct OfflineODataSendStoreProgress: Sendable, Hashable {
    /// The file that is being sent.
    public let fileName: String
    /// Bytes sent so far.
    public let bytesSent: Int
    /// Bytes in all.
    public let fileSize: Int
}

/// A change that the service refused.
public struct OfflineODataFailedRequest: Sendable, Hashable {
    /// The HTTP status of the refusal.
    public let httpStatusCode: Int
    /// The number of the request in the store.
    public let requestID: Int
    /// The mark that the app gave the request.
    public let customTag: String?
    /// The service's own code.
    public let errorCode: String
    /// What the service said.
    public let errorMessage: String
    /// What only developers should see, as text.
    public let innerError: String?
    /// `POST`, `PATCH`, `PUT` or `DELETE`.
    public let requestHTTPMethod: String
    /// The URL of the request.
    public let requestURL: URL
    /// The body of the request as JSON.
    public let requestBody: String?
}
