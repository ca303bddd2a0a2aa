import ArgumentParser

/// How results are written.
struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Write the result as JSON, and nothing else, to standard output.")
    var json = false

    /// Where the command writes.
    var console: Console { Console(isJSON: json) }
}
