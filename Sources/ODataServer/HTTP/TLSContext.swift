import Foundation
import Logging
import NIOSSL
import ODataText
import ODataWorld
import Synchronization

/// What connections are encrypted with: certificate and key from files, which are read again when they change. Connections
/// go on with what they began with.
package final class TLSContext: Sendable {
    private struct State {
        var context: NIOSSLContext
        /// When the files were written last.
        var stamps: [Date?]
        /// When they are looked at again.
        var nextLook: Duration
    }

    private let certificate: String
    private let key: String
    private let world: any World
    private let state: Mutex<State>

    /// - Parameters:
    ///   - certificate: A file of certificates in PEM: the service's own, then those that vouch for it.
    ///   - key: A file with the key of the first, in PEM and without a passphrase.
    /// - Throws: `usage` that names the file and what was expected of it.
    package init(certificate: String, key: String, world: any World = LiveWorld()) throws {
        self.certificate = certificate
        self.key = key
        self.world = world
        let stamps = Self.stamps([certificate, key])
        state = Mutex(
            State(
                context: try Self.context(certificate, key), stamps: stamps,
                nextLook: world.uptime() + Self.interval))
    }

    /// For the next connection. Files that have changed are read on a worker, for who comes later.
    var current: NIOSSLContext {
        let now = world.uptime()
        let (context, isDue) = state.withLock { state in
            let isDue = state.nextLook <= now
            if isDue { state.nextLook = now + Self.interval }
            return (state.context, isDue)
        }
        if isDue { _ = world.startWorker("odata.tls") { self.reloadChanged() } }
        return context
    }

    /// Reads the files again.
    ///
    /// - Throws: as at the start; what there was goes on to hold.
    package func reload() throws {
        let stamps = Self.stamps([certificate, key])
        let context = try Self.context(certificate, key)
        state.withLock { state in
            state.context = context
            state.stamps = stamps
        }
    }

    private func reloadChanged() {
        guard Self.stamps([certificate, key]) != state.withLock({ $0.stamps }) else { return }
        do {
            try reload()
        } catch {
            // Half of the pair may be written; it is looked at again.
            Logger(label: "odata.service").warning(
                "certificate or key not taken", metadata: ["error": "\(error)"])
        }
    }

    private static func stamps(_ files: [String]) -> [Date?] {
        files.map {
            let attributes = try? FileManager.default.attributesOfItem(atPath: $0)
            return attributes?[.modificationDate] as? Date
        }
    }

    private static func context(_ certificate: String, _ key: String) throws -> NIOSSLContext {
        let chain: [NIOSSLCertificate]
        let secret: NIOSSLPrivateKey
        do {
            chain = try NIOSSLCertificate.fromPEMFile(certificate)
        } catch {
            throw expected("a file of certificates in PEM", certificate)
        }
        guard !chain.isEmpty else { throw expected("a certificate", certificate) }
        do {
            secret = try NIOSSLPrivateKey(file: key, format: .pem)
        } catch {
            throw expected("a file with a key in PEM and without a passphrase", key)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(secret))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw expected("the key of the certificate", key)
        }
    }

    private static func expected(_ what: String, _ file: String) -> ODataError {
        ODataError(.usage, "Expected \(what).", at: .path(file))
    }

    private static let interval = Duration.seconds(10)
}
