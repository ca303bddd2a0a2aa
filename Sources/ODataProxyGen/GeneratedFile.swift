/// A file that the generator makes: nothing is written by this module.
package struct GeneratedFile: Sendable, Hashable {
    /// The name within the folder, without a path.
    package var name: String
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// The first line of every file of a service: it tells whose the file is.
    package static func marker(service: String) -> String {
        "// odata-generate: \(service). Do not edit; the next run replaces this file."
    }
}
