#if canImport(Darwin)
    import Foundation
    import ODataQuery
    import ODataText
    import Synchronization

    /// Transfers of a URL session in the background, which the system goes on with when the app is suspended or gone.
    ///
    /// The system tells each new process what has ended meanwhile; until it has told all, a transfer that was begun counts as
    /// running. Redirects are followed by the system here.
    final class SessionTransfers: NSObject, BackgroundTransfer {
        private struct State {
            var tasks: [String: URLSessionTask] = [:]
            var bodies: [Int: FileHandle] = [:]
            var listeners: [String: [@Sendable () -> Void]] = [:]
        }

        /// A session of one identifier may exist once in a process.
        private static let all = Mutex<[String: SessionTransfers]>([:])

        private let folder: TransferFolder
        private let state = Mutex(State())
        private let session = Mutex<URLSession?>(nil)

        static func shared(_ identifier: String, _ folder: String) throws -> SessionTransfers {
            try all.withLock { all in
                if let known = all[identifier] { return known }
                let transfers = SessionTransfers(try TransferFolder(path: folder))
                all[identifier] = transfers
                transfers.start(identifier)
                return transfers
            }
        }

        private init(_ folder: TransferFolder) { self.folder = folder }

        private func start(_ identifier: String) {
            let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            configuration.isDiscretionary = false
            let started = URLSession(
                configuration: configuration, delegate: self, delegateQueue: nil)
            session.withLock { $0 = started }
            let known = DispatchSemaphore(value: 0)
            started.getAllTasks { [self] tasks in
                state.withLock { state in
                    for task in tasks { state.tasks[task.taskDescription ?? ""] = task }
                }
                known.signal()
            }
            known.wait()
            // What was begun and is neither on its way nor told of within this time was lost by the system.
            DispatchQueue.global().asyncAfter(deadline: .now() + 10) { [self] in loseUntold() }
        }

        private func loseUntold() {
            for name in folder.names() where folder.state(of: name) == .running {
                guard state.withLock({ $0.tasks[name] == nil }) else { continue }
                try? folder.keep(failure: .wait, of: name)
                tell(name)
            }
        }

        func state(of name: String) -> BackgroundState? { folder.state(of: name) }

        func names() -> Set<String> { folder.names() }

        func begin(
            _ name: String, _ request: RequestMessage, _ body: (any RequestContent)?
        ) throws {
            guard let url = URL(string: request.url), url.host != nil,
                let session = session.withLock({ $0 })
            else {
                throw ODataError(
                    .invalidQuery, "Expected an absolute http or https URL.",
                    at: .resource(of: request.url))
            }
            var asked = URLRequest(url: url)
            asked.httpMethod = request.method
            for field in request.headers.fields {
                asked.addValue(field.value, forHTTPHeaderField: field.name)
            }
            let task: URLSessionTask
            if let body {
                let file = try BodyFile(body)
                // Read by the system until the task has ended, and cleared away with its temporary files.
                task = session.uploadTask(with: asked, fromFile: file.url)
            } else {
                if !request.body.isEmpty { asked.httpBody = Data(request.body) }
                task = session.downloadTask(with: asked)
            }
            try folder.noteBeginning(of: name)
            task.taskDescription = name
            state.withLock { $0.tasks[name] = task }
            task.resume()
        }

        func whenEnded(_ name: String, _ action: @escaping @Sendable () -> Void) {
            let isRunning = state.withLock { state in
                guard folder.state(of: name) == .running else { return false }
                state.listeners[name, default: []].append(action)
                return true
            }
            if !isRunning { action() }
        }

        func forget(_ name: String) {
            let task = state.withLock { $0.tasks.removeValue(forKey: name) }
            folder.forget(name)
            task?.cancel()
            tell(name)
        }

        private func tell(_ name: String) {
            let listeners = state.withLock { $0.listeners.removeValue(forKey: name) ?? [] }
            for listener in listeners { listener() }
        }
    }

    extension SessionTransfers: URLSessionDownloadDelegate, URLSessionDataDelegate {
        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) {
            guard let name = downloadTask.taskDescription else { return }
            let place = URL(fileURLWithPath: folder.body(of: name))
            try? FileManager.default.removeItem(at: place)
            try? FileManager.default.moveItem(at: location, to: place)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
        ) {
            guard let name = dataTask.taskDescription else { return }
            let place = folder.body(of: name)
            state.withLock { state in
                if state.bodies[dataTask.taskIdentifier] == nil {
                    _ = FileManager.default.createFile(atPath: place, contents: nil)
                    state.bodies[dataTask.taskIdentifier] = FileHandle(forWritingAtPath: place)
                }
                try? state.bodies[dataTask.taskIdentifier]?.write(contentsOf: data)
            }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            guard let name = task.taskDescription else { return }
            let isWanted = state.withLock { state in
                let file = state.bodies.removeValue(forKey: task.taskIdentifier)
                try? file?.close()
                state.tasks[name] = nil
                return folder.state(of: name) == .running
            }
            guard isWanted else { return folder.forget(name) }
            if let response = task.response as? HTTPURLResponse, error == nil {
                var headers = HeaderFields()
                for (name, value) in response.allHeaderFields {
                    headers.append(name: "\(name)", value: "\(value)")
                }
                let body = folder.body(of: name)
                if !FileManager.default.fileExists(atPath: body) {
                    _ = FileManager.default.createFile(atPath: body, contents: nil)
                }
                try? folder.keep(status: response.statusCode, headers: headers, of: name)
            } else {
                let proven = (error as? URLError).flatMap(ConnectionFailure.provenPhase)
                try? folder.keep(failure: proven ?? .wait, of: name)
            }
            tell(name)
        }
    }
#endif
