import Foundation
import ODataServer
import ODataTesting
import Synchronization

/// The service that the apps of all generations are for.
enum AppShop {
    static let schema = """
        CREATE TABLE Customers (
            ID INTEGER PRIMARY KEY, Name TEXT CHECK (Name <> 'refused'), Description TEXT,
            Balance DECIMAL(10, 2));
        CREATE TABLE Orders (
            ID INTEGER PRIMARY KEY, Title TEXT, CustomerID INTEGER REFERENCES Customers(ID));
        INSERT INTO Customers VALUES (1, 'Ann', 'first', 12.5), (2, 'Bo', NULL, 0);
        INSERT INTO Orders VALUES (10, 'Saw', 1), (11, 'Drill', 1);
        """

    static func run(_ body: @escaping @Sendable (SchoolService) throws -> Void) async throws {
        try await SchoolService.run(schema: schema, body)
    }

    /// Starts what has a handler and waits for it; throws what the handler gets.
    static func wait(_ start: (@escaping @Sendable ((any Error)?) -> Void) -> Void) throws {
        let (semaphore, box) = (DispatchSemaphore(value: 0), Box())
        start { error in
            box.error.withLock { $0 = error }
            semaphore.signal()
        }
        semaphore.wait()
        if let error = box.error.withLock({ $0 }) { throw error }
    }

    /// Runs what is `async` and waits for it, on a thread that may block.
    static func await_(_ body: @escaping @Sendable () async throws -> Void) throws {
        try wait { done in
            Task {
                do {
                    try await body()
                    done(nil)
                } catch {
                    done(error)
                }
            }
        }
    }

    private final class Box: Sendable {
        let error = Mutex<(any Error)?>(nil)
    }
}

extension SchoolService {
    /// The names of the customers that the service has.
    func customers() throws -> [String?] {
        try serviceRows("SELECT Name FROM Customers ORDER BY ID").map { $0[0] }
    }
}
