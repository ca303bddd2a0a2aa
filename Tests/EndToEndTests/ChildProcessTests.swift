#if !os(iOS)
    import ChildFixture
    import Foundation
    import ODataTesting
    import Testing

    /// What tests rely on when they start children: nobody waits without an end, and nobody waits for somebody else's child.
    @Suite struct ChildProcessTests {
        private static let shell = "/bin/sh"

        private static func overdue(_ body: () throws -> Void) throws -> String? {
            do {
                try body()
                return nil
            } catch let error as ChildProcess.Overdue {
                return error.description
            }
        }

        @Test func aChildThatDoesNotEndIsKilled() async throws {
            try await onOwnThread {
                let child = try ChildProcess(Self.shell, ["-c", "exec sleep 600"])
                let text = try Self.overdue { try child.wait(atMost: .milliseconds(100)) }
                #expect(text?.contains("exec sleep 600") == true)
                #expect(try child.wait() == .signal(SIGKILL))
                #expect(!child.isRunning)
            }
        }

        @Test func aChildThatSaysNothingIsKilled() async throws {
            try await onOwnThread {
                let child = try ChildProcess(
                    Self.shell, ["-c", "echo one; exec sleep 600"], output: .pipe)
                #expect(try child.line() == "one")
                let text = try Self.overdue { _ = try child.line(atMost: .milliseconds(100)) }
                #expect(text?.contains("Expected a line") == true)
                #expect(try child.wait() == .signal(SIGKILL))
            }
        }

        @Test func aChildWhoseOutputDoesNotEndIsKilled() async throws {
            try await onOwnThread {
                let child = try ChildProcess(
                    Self.shell, ["-c", "echo one; exec sleep 600"], output: .pipe)
                let text = try Self.overdue { _ = try child.output(atMost: .milliseconds(100)) }
                #expect(text?.contains("the end of its output") == true)
                #expect(try child.wait() == .signal(SIGKILL))
            }
        }

        @Test func nobodyOutlivesTheTestThatForgotIt() async throws {
            try await onOwnThread {
                let witness = try ChildProcess("/bin/cat", [], input: .pipe, output: .pipe)
                let identifier = witness.identifier
                var forgotten: ChildProcess? = try ChildProcess(
                    Self.shell, ["-c", "exec sleep 600"])
                let lost = try #require(forgotten?.identifier)
                #expect(kill(lost, 0) == 0)
                forgotten = nil
                #expect(Self.isGone(lost))
                #expect(kill(identifier, 0) == 0)
                try witness.endInput()
                #expect(try witness.wait() == .exit(0))
            }
        }

        private static func isGone(_ identifier: pid_t) -> Bool {
            let end = ContinuousClock.now + .seconds(60)
            while kill(identifier, 0) == 0, ContinuousClock.now < end { usleep(10_000) }
            return kill(identifier, 0) != 0
        }

        @Test func statusSignalAndBothChannelsAreTold() async throws {
            try await onOwnThread {
                let child = try ChildProcess(
                    Self.shell, ["-c", "echo out; echo \"$SAID\" >&2; exit 3"],
                    environment: ["SAID": "err"], output: .pipe, errors: .pipe)
                #expect(try child.output() == "out\n")
                #expect(try child.errors() == "err\n")
                #expect(try child.wait() == .exit(3))
                // Who asks again is told the same.
                #expect(try child.wait() == .exit(3))
                let other = try ChildProcess(Self.shell, ["-c", "exec sleep 600"])
                other.send(signal: SIGTERM)
                #expect(try other.wait(atMost: .seconds(60)) == .signal(SIGTERM))
            }
        }

        /// - Returns: those that live on.
        private static func startSome() throws -> [ChildProcess] {
            try (0..<16).map { _ in
                let stays = try ChildProcess("/bin/cat", [], input: .pipe)
                let ends = try ChildProcess("/bin/cat", [], input: .pipe, output: .pipe)
                try ends.send(line: "said")
                try ends.endInput()
                #expect(try ends.output(atMost: .seconds(60)) == "said\n")
                #expect(try ends.wait(atMost: .seconds(60)) == .exit(0))
                return stays
            }
        }

        /// Several threads start children that live on, and beside them some that say a line and end, or end with their input.
        /// The pipes of these come to their ends while the others live.
        @Test func pipesEndThoughOthersLive() async throws {
            let children = try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await onOwnThread(Self.startSome) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(children.count == 128)
            #expect(children.count { $0.isRunning } == 128)
            try await onOwnThread {
                for child in children {
                    try child.endInput()
                    #expect(try child.wait(atMost: .seconds(60)) == .exit(0))
                }
            }
        }
    }
#endif
