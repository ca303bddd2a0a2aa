import ArgumentParser
import ODataText

/// `odata demo`: the whole story on one screen, on a service in the same process.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Tell the whole story on one screen, on an embedded service.",
        discussion: """
            First download, queries and changes while the service is stopped, a competing change, \
            upload with one conflict and its repair, delta download. Then the service's database and \
            the store are read by SQL, apart from each other, and every row is compared. The status \
            is 0 when nothing differs.
            """)

    @Option(name: .long, help: "About how many rows the service has.")
    var scale = 4_000

    @Option(name: .long, help: "The seed that the sample is made from.")
    var seed: UInt64 = 1

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Keep both databases in this folder, which must not hold any yet.",
            valueName: "folder"),
        completion: .directory)
    var keep: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (400...10_000_000).contains(scale) else {
            throw ValidationError("--scale: expected 400 to 10000000.")
        }
    }

    func run() throws {
        let folder = try keep.map(KeptFolder.prepare)
        let temporary = folder == nil ? try TemporaryFolder("odata-demo") : nil
        defer { temporary?.remove() }
        let console = output.console
        let story = DemoStory(
            folder: folder ?? temporary?.path ?? "", scale: scale, seed: seed, console: console)
        let figures = try CommandError.operation { try story.run() }
        if console.isJSON {
            console.print(figures.json.text)
        } else {
            console.print("")
            console.print(figures.line)
        }
    }
}
