import Foundation
import ODataText

/// The options of `odata serve` from a file and from the environment, as arguments in front of those of the command line. An option
/// of the command line stands in the place of the same one of the environment, and that of the one of the file.
package enum ServeSettings {
    static let option = "--configuration"
    /// `ODATA_OPTION_PAGE_SIZE` is `--page-size`. Not `ODATA_SERVE_`: Kubernetes gives every container variables of the names of its
    /// services, and one named `odata-serve` is near at hand.
    static let prefix = "ODATA_OPTION_"
    /// Options that stand for themselves; every other one has a value.
    private static let flags: Set<String> = [
        "access-log", "csrf", "insecure", "json", "read-only", "v2",
    ]
    private static let maximumBytes = 1 << 20

    /// The arguments of the command with everything that file and environment say; those of other commands as they are.
    ///
    /// - Throws: `CommandError` of bad input that names the file and the member, or the variable.
    package static func expanded(
        _ arguments: [String], environment: [String: String],
        read: (String) throws -> [UInt8] = { try InputFile.bytes($0) }
    ) throws -> [String] {
        guard arguments.first == "serve" else { return arguments }
        let own = Array(arguments.dropFirst())
        let given = Set(own.compactMap(name(of:)))
        var settings = try self.environment(environment, given)
        if let file = value(of: option, in: own) ?? environment[prefix + "CONFIGURATION"] {
            let known = given.union(settings.map(\.name))
            settings =
                try members(of: try read(file), in: file)
                .filter { !known.contains($0.name) } + settings
        }
        return ["serve"] + settings.flatMap(\.arguments) + own
    }

    private struct Setting {
        var name: String
        var arguments: [String]
    }

    private static func environment(
        _ environment: [String: String], _ given: Set<String>
    ) throws -> [Setting] {
        try environment.keys.sorted().compactMap { key in
            guard key.hasPrefix(prefix), let text = environment[key],
                key != prefix + "CONFIGURATION"
            else { return nil }
            let name = key.dropFirst(prefix.count).lowercased().replacing("_", with: "-")
            guard !given.contains(name) else { return nil }
            guard flags.contains(name) else {
                return Setting(name: name, arguments: ["--\(name)=\(text)"])
            }
            switch text {
            case "true", "1": return Setting(name: name, arguments: ["--\(name)"])
            case "false", "0", "": return Setting(name: name, arguments: [])
            default: throw CommandError.badInput("\(key): expected true or false.")
            }
        }
    }

    private static func members(of bytes: [UInt8], in file: String) throws -> [Setting] {
        guard bytes.count <= maximumBytes else {
            throw CommandError.badInput("\(file): expected at most \(maximumBytes) bytes.")
        }
        let object: JSONObject?
        do {
            object = try JSONValue(parsing: bytes).object
        } catch {
            throw CommandError.badInput("\(file): expected JSON: \(error)")
        }
        guard let object else {
            throw CommandError.badInput("\(file): expected an object of options.")
        }
        return try object.members.compactMap { member in
            guard member.name != "configuration" else {
                throw CommandError.badInput("\(file): configuration: expected no file in a file.")
            }
            guard let arguments = arguments(member.name, member.value) else {
                throw CommandError.badInput(
                    "\(file): \(member.name): expected "
                        + (flags.contains(member.name)
                            ? "true or false." : "a text, a number, or an array of them."))
            }
            return arguments.isEmpty ? nil : Setting(name: member.name, arguments: arguments)
        }
    }

    /// Nil where the value is none that the option takes.
    private static func arguments(_ name: String, _ value: JSONValue) -> [String]? {
        if flags.contains(name) {
            guard case .boolean(let isOn) = value else { return nil }
            return isOn ? ["--\(name)"] : []
        }
        switch value {
        case .string(let text): return ["--\(name)=\(text)"]
        case .number(let text): return ["--\(name)=\(text)"]
        case .array(let items):
            var all: [String] = []
            for item in items {
                switch item {
                case .string(let text), .number(let text): all.append("--\(name)=\(text)")
                default: return nil
                }
            }
            return all
        default: return nil
        }
    }

    /// `--port 80` and `--port=80` are `port`.
    private static func name(of argument: String) -> String? {
        guard argument.hasPrefix("--") else { return nil }
        return String(argument.dropFirst(2).prefix { $0 != "=" })
    }

    private static func value(of option: String, in arguments: [String]) -> String? {
        for (index, argument) in arguments.enumerated().reversed() {
            if argument.hasPrefix(option + "=") {
                return String(argument.dropFirst(option.count + 1))
            }
            if argument == option, index + 1 < arguments.count { return arguments[index + 1] }
        }
        return nil
    }
}
