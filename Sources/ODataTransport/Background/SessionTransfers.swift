#if canImport(Darwin)
    import Foundation
    import ODataQuery
    import ODataText
    import Synchronization

    /// Transfers of a URL session in the background, which the system goes on with when the app is suspended or gone.
    ///
    /// The system tells each new process what has ended meanwhile; until it has told all, a transfer that was begun counts as
    /// running. Redirects are followed by the system here, and what is told of a task counts only while its own beginning is the
    /// last one under its name.
    final class SessionTransfers: NSObject, BackgroundTransfer {
        private struct State {
            var tasks: [String: URLSessionTask] = [:]
            /// Names that are being begun, which have a mark and no task yet.
            var beginning: Set<String> = []
            var files: [Int: FileHandle] = [:]
            /// Tasks of whose answer a part could not be kept.
            var broken: Set<Int> = []
            var listeners: [String: [@Sendable () -> Void]] = [:]
        }

        /// A session of one identifier may exist once in a process.
        private static let all = Mutex<[String: SessionTransfers]>([:])

        private let folder: TransferFolder
        /// Guards what is done with the folder as well, so that nothing is written behind ``forget(_:)``.
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
            // After this silence the system sends again by itself what the service may be at work on.
            configuration.timeoutIntervalForRequest = configuration.timeoutIntervalForResource
            let started = URLSession(
                configuration: configuration, delegate: self, delegateQueue: nil)
            session.withLock { $0 = started }
            let known = DispatchSemaphore(value: 0)
            started.getAllTasks { [self] tasks in
                for task in tasks { meet(task) }
                known.signal()
            }
            known.wait()
            // What was begun and is neither on its way nor told of within this time was lost by the system.
            DispatchQueue.global().asyncAfter(deadline: .now() + 10) { [self] in loseUntold() }
        }

        /// A task of an earlier process: the system's own list counts where the mark is gone.
        private func meet(_ task: URLSessionTask) {
            guard let beginning = Self.beginning(of: task),
                task.state == .running || task.state == .suspended
            else { return }
            state.withLock { state in
                let nonce = folder.nonce(of: beginning.name)
                guard nonce == nil || nonce == beginning.nonce else { return }
                state.tasks[beginning.name] = task
                if nonce == nil {
                    try? folder.noteBeginning(of: beginning.name, nonce: beginning.nonce)
                }
            }
            // The process went between making and starting it.
            if task.state == .suspended { task.resume() }
        }

        private func loseUntold() {
            for name in folder.names() {
                let isLost = state.withLock { state in
                    guard folder.state(of: name) == .running, state.tasks[name] == nil,
                        !state.beginning.contains(name)
                    else { return false }
                    keepFailure(.wait, of: name)
                    return true
                }
                if isLost { tell(name) }
            }
        }

        /// What cannot be kept is not there: nobody waits for it, and nobody takes it for an answer.
        private func keepFailure(_ phase: NetworkFailure.Phase, of name: String) {
            do {
                try folder.keep(failure: phase, of: name)
            } catch {
                folder.forget(name)
            }
        }

        func state(of name: String) -> BackgroundState? {
            folder.state(of: name)
                ?? (state.withLock { $0.tasks[name] != nil } ? .running : nil)
        }

        func names() -> Set<String> {
            folder.names().union(state.withLock { Set($0.tasks.keys) })
        }

        func begin(
            _ name: String, _ request: RequestMessage, _ body: (any RequestContent)?
        ) throws {
            let asked = try URLRequest(request, hasContent: body != nil)
            guard let session = session.withLock({ $0 }) else {
                throw ODataError(.usage, "Expected transfers that were started.")
            }
            let beginning = TransferBeginning(name: name, nonce: UUID().uuidString)
            _ = state.withLock { $0.beginning.insert(name) }
            defer { _ = state.withLock { $0.beginning.remove(name) } }
            let task: URLSessionTask
            do {
                try folder.noteBeginning(of: name, nonce: beginning.nonce)
                if let body {
                    // Read by the system until the task has ended, and removed with the transfer.
                    let file = try BodyFile(body, at: folder.sentBody(of: name))
                    task = session.uploadTask(with: asked, fromFile: file.url)
                } else {
                    task = session.downloadTask(with: asked)
                }
            } catch {
                folder.forget(name)
                throw error
            }
            task.taskDescription = beginning.text
            state.withLock { $0.tasks[name] = task }
            task.resume()
        }

        func whenEnded(_ name: String, _ action: @escaping @Sendable () -> Void) {
            let isRunning = state.withLock { state in
                let known = folder.state(of: name)
                guard known == .running || known == nil && state.tasks[name] != nil else {
                    return false
                }
                state.listeners[name, default: []].append(action)
                return true
            }
            if !isRunning { action() }
        }

        func forget(_ name: String) {
            let task = state.withLock { state in
                folder.forget(name)
                return state.tasks.removeValue(forKey: name)
            }
            task?.cancel()
            tell(name)
        }

        private func tell(_ name: String) {
            let listeners = state.withLock { $0.listeners.removeValue(forKey: name) ?? [] }
            for listener in listeners { listener() }
        }

        private static func beginning(of task: URLSessionTask) -> TransferBeginning? {
            task.taskDescription.flatMap { TransferBeginning($0) }
        }
    }

    extension SessionTransfers: URLSessionDownloadDelegate, URLSessionDataDelegate {
        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) {
            guard let beginning = Self.beginning(of: downloadTask) else { return }
            state.withLock { state in
                guard beginning.isCurrent(in: folder) else { return }
                let place = URL(fileURLWithPath: folder.body(of: beginning.name))
                try? FileManager.default.removeItem(at: place)
                do {
                    try FileManager.default.moveItem(at: location, to: place)
                } catch {
                    state.broken.insert(downloadTask.taskIdentifier)
                }
            }
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
        ) {
            guard let beginning = Self.beginning(of: dataTask) else { return }
            let id = dataTask.taskIdentifier
            state.withLock { state in
                guard beginning.isCurrent(in: folder) else { return }
                do {
                    if state.files[id] == nil {
                        let place = URL(fileURLWithPath: folder.body(of: beginning.name))
                        try Data().write(to: place)
                        state.files[id] = try FileHandle(forWritingTo: place)
                    }
                    try state.files[id]?.write(contentsOf: data)
                } catch {
                    state.broken.insert(id)
                }
            }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            guard let beginning = Self.beginning(of: task) else { return }
            let name = beginning.name
            let isTold = state.withLock { state in
                let file = state.files.removeValue(forKey: task.taskIdentifier)
                var isBroken = state.broken.remove(task.taskIdentifier) != nil
                do { try file?.close() } catch { isBroken = true }
                if state.tasks[name] === task { state.tasks[name] = nil }
                guard beginning.isCurrent(in: folder) else { return false }
                guard let response = task.response as? HTTPURLResponse, error == nil else {
                    let phase = TransferEnd.phase(
                        ofMethod: task.originalRequest?.httpMethod,
                        proven: (error as? URLError).flatMap(ConnectionFailure.provenPhase))
                    keepFailure(phase, of: name)
                    return true
                }
                guard !isBroken, isAnswer(response, to: task), keepBody(of: name, response) else {
                    keepFailure(.body, of: name)
                    return true
                }
                do {
                    try folder.keep(
                        status: response.statusCode, headers: HeaderFields(of: response), of: name)
                } catch {
                    keepFailure(.body, of: name)
                }
                return true
            }
            if isTold { tell(name) }
        }

        private func isAnswer(_ response: HTTPURLResponse, to task: URLSessionTask) -> Bool {
            let asked = task.originalRequest
            return TransferEnd.isAnswer(
                to: (asked?.httpMethod, asked?.url?.absoluteString),
                (task.currentRequest?.httpMethod, response.url?.absoluteString))
        }

        /// Sees to it that the body is there, and as long as its head says.
        private func keepBody(of name: String, _ response: HTTPURLResponse) -> Bool {
            let place = folder.body(of: name)
            if !FileManager.default.fileExists(atPath: place) {
                guard FileManager.default.createFile(atPath: place, contents: nil) else {
                    return false
                }
            }
            let found = try? FileManager.default.attributesOfItem(atPath: place)[.size]
            return TransferEnd.isWhole(
                bytes: (found as? NSNumber)?.intValue, status: response.statusCode,
                headers: HeaderFields(of: response))
        }
    }
#endif
