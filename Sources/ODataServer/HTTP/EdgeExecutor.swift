import Dispatch

/// Runs the server's tasks on threads of its own, so that blocked threads of the cooperative pool hold up nothing.
final class EdgeExecutor: TaskExecutor {
    /// The one that lasts as long as the process. A task lets go of its executor when it ends, which may be while another
    /// thread is still inside ``enqueue(_:)`` with the task's last job.
    static let shared = EdgeExecutor()

    private let queue = DispatchQueue(label: "odata.service.tasks", attributes: .concurrent)

    private init() {}

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
