import ArgumentParser

/// How long a command may take.
struct TimeOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "End after so many seconds in all, with status 124; what was done stays.",
            valueName: "seconds"))
    var deadline: Double?

    func validate() throws {
        guard let deadline, !(deadline > 0 && deadline.isFinite) else { return }
        throw ValidationError("--deadline: expected more than 0 seconds, found \(deadline).")
    }

    /// Begins to count.
    func start() -> TimeLimit { TimeLimit(seconds: deadline) }
}
