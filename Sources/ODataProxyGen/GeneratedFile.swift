/// A file that the generator makes: nothing is written by this module.
package struct GeneratedFile: Sendable, Hashable {
    /// The name within the folder, without a path.
    package var name: String
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// A file of a service: the marker, what it imports, and what `write` writes.
    init(
        _ name: String, of service: String, imports: [String],
        _ write: (inout SourceWriter) -> Void
    ) {
        var writer = SourceWriter()
        writer.line(Self.marker(service: service))
        writer.line("// swift-format-ignore-file")
        for module in imports { writer.line("import " + module) }
        writer.line()
        write(&writer)
        self.init(name: name + ".swift", text: writer.text)
    }

    /// The first line of every file of a service: it tells whose the file is.
    package static func marker(service: String) -> String {
        "// odata-generate: \(service). Do not edit; the next run replaces this file."
    }
}
