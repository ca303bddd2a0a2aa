/// What each module with mutants gets: the switches.
public enum SwitchFile {
    public static let name = "MutantSwitch.swift"

    /// Public, because default values of what is public may ask too.
    public static func text(highest: Int) -> String {
        """
        // Written by Mutation/run.
        #if canImport(Darwin)
            import Darwin
        #else
            import Glibc
        #endif

        private let active: Int = getenv("ODATA_MUTANT").map { Int(atol($0)) } ?? 0
        /// Where each mutant is noted that anything meets; each by itself, so that a killed process has noted them too.
        private let trace: Int32 =
            getenv("ODATA_MUTANT_TRACE").map { open($0, O_WRONLY | O_CREAT | O_APPEND, 0o644) } ?? -1
        private nonisolated(unsafe) let noted: UnsafeMutablePointer<Bool> = {
            let noted = UnsafeMutablePointer<Bool>.allocate(capacity: \(highest + 1))
            noted.initialize(repeating: false, count: \(highest + 1))
            return noted
        }()

        private func note(_ number: Int) {
            // Two threads may note one twice, which says the same.
            guard !noted[number] else { return }
            noted[number] = true
            let line = "\\(number)\\n"
            _ = line.withCString { write(trace, $0, line.utf8.count) }
        }

        /// Whether a mutant is the one that is on.
        public func mutant(_ number: Int) -> Bool {
            if trace >= 0 { note(number) }
            return number == active
        }

        /// A condition, or its opposite where the mutant is on.
        public func mutant(_ number: Int, not condition: Bool) -> Bool { condition != mutant(number) }

        """
    }
}
