import NIOCore
import NIOPosix

/// Runs the tasks of a connection on its event loop, where what they wait for comes from and what they write goes to. They
/// block nowhere: requests are answered on the threads of the edge.
///
/// On threads of their own, each step of a request woke another thread: the parts of the request, the end of the work,
/// the parts of the answer.
final class LoopExecutor: TaskExecutor {
    /// One for each loop, which last as long as the process, as ``EdgeExecutor/shared`` does and for the same reason.
    private static let all = Dictionary(
        HTTPEdge.group.makeIterator().map { (ObjectIdentifier($0), LoopExecutor($0)) },
        uniquingKeysWith: { first, _ in first })

    /// That of a loop of the edge.
    static func of(_ loop: any EventLoop) -> any TaskExecutor {
        all[ObjectIdentifier(loop)] ?? EdgeExecutor.shared
    }

    private let loop: any EventLoop

    private init(_ loop: any EventLoop) {
        self.loop = loop
    }

    // Hot: ServerFigures
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        loop.execute { job.runSynchronously(on: executor) }
    }
}
