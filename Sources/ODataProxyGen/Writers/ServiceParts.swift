/// The calls of a service in parts that make files of a size that people and compilers like.
struct ServiceParts {
    /// The calls of each part as they stand in their class; at least one part, in the order of the model.
    let bodies: [String]
    private let prefix: String

    /// Lines of calls in one file, about.
    static let maximumLines = 450

    init(of model: ProxyModel) {
        var parts = [""]
        var lines = 0
        for call in ServiceCall.all(of: model) {
            var writer = SourceWriter(depth: 1)
            CallWriter(model: model, call: call).write(&writer)
            let own = writer.text.utf8.count { $0 == UInt8(ascii: "\n") }
            if lines + own > Self.maximumLines, lines > 0 {
                parts.append("")
                lines = 0
            }
            parts[parts.count - 1] += writer.text
            lines += own
        }
        bodies = parts
        var prefix = model.service + "Calls"
        let taken = model.typeNames.map { $0.lowercased() }
        while taken.contains(where: { $0.hasPrefix(prefix.lowercased()) }) { prefix += "_" }
        self.prefix = prefix
    }

    var isDivided: Bool { bodies.count > 1 }

    /// The class of a part, counted from 1.
    func name(_ number: Int) -> String { prefix + String(number) }
}
