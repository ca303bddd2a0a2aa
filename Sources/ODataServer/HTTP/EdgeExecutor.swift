import Dispatch

/// Runs the server's tasks on threads of its own, so that blocked threads of the cooperative pool hold up nothing.
final class EdgeExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "odata.service.tasks", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
