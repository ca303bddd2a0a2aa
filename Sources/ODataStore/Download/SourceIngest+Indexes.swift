import GRDB
import ODataSQL

/// The indexes of a first load: it does without them and makes them at its end, unless somebody writes beside it.
extension SourceIngest {
    /// What a first load does about indexes.
    enum Indexing {
        /// They are left out, and made at its end unless somebody writes beside it.
        case leftOut
        /// Somebody wrote: they are there and grow with the rows, or there were too many rows already.
        case settled
    }

    /// A first load does without indexes until it ends.
    func leaveOutIndexes() throws {
        guard indexing == nil else { return }
        indexing = .leftOut
        try context.write {
            try DeferredIndexes(table: self.plan.table, database: $0).leaveOut()
        }
    }

    /// Makes the indexes while there are few rows, because somebody writes beside the load: at its end they would have to wait
    /// for all of it, or interrupt it again and again.
    func fillIndexes() throws {
        guard indexing == .leftOut else { return }
        var statements: [String] = []
        try context.write { database in
            let isLate = try self.plan.tables.contains {
                try $0.lastID(database) > self.context.limits.indexedRows
            }
            self.indexing = .settled
            if !isLate { statements = try self.deferredIndexes(database) }
        }
        for statement in statements {
            try context.write { try $0.makeIndex(statement) }
        }
    }

    /// Makes the indexes that the load did without, those of the tables of expansions, too, each in a transaction of its own,
    /// which gives way to others that want to write. After a kill the read repeats its last page and comes here again.
    func makeIndexes() throws {
        context.checkpoint("index.build")
        var statements: [String] = []
        try context.write { statements = try self.deferredIndexes($0) }
        for statement in statements {
            context.checkpoint("index.build")
            try context.indexBuild.run(statement, context.write)
        }
    }

    private func deferredIndexes(_ database: Database) throws -> [String] {
        try plan.tables.flatMap {
            try DeferredIndexes(table: $0, database: database).statements()
        }
    }
}

extension TableMapping {
    /// The largest internal id of a row; about as many rows there are in a table that is loaded for the first time.
    fileprivate func lastID(_ database: Database) throws -> Int {
        let id = SQLName.quoted(system.id ?? "_odata_id")
        return try Int.fetchOne(database, sql: "SELECT max(\(id)) FROM \(SQLName.quoted(name))")
            ?? 0
    }
}
