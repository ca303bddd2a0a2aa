extension FieldDefect {
    /// All of them, to be found one by one.
    package static let all = ofTheStore + ofTheWire

    private static func trigger(_ name: String, _ rest: String) -> FieldDefect {
        FieldDefect(PlantedTrigger(name, rest))
    }

    private static func ignoring(_ name: String, _ event: String) -> FieldDefect {
        trigger(name, "BEFORE \(event) BEGIN SELECT RAISE(IGNORE); END")
    }

    /// What a store may do wrong, as triggers in its file.
    private static let ofTheStore = ofTheQueue + ofTheRows + ofTheSources

    private static let ofTheQueue: [FieldDefect] = [
        FieldDefect(.requestIsLost),
        FieldDefect(.rowIsAnother),
        FieldDefect(.refusalIsForgotten),
        trigger(
            "an unknown fate is forgotten with its request",
            """
            AFTER UPDATE OF state ON _odata_request WHEN new.state = 'unknown'
            BEGIN DELETE FROM _odata_request WHERE id = new.id; END
            """),
        trigger(
            "what is refused is sent again by itself",
            """
            AFTER UPDATE OF state ON _odata_request WHEN new.state = 'failed'
            BEGIN UPDATE _odata_request SET state = 'waiting' WHERE id = new.id; END
            """),
        FieldDefect(.silenceIsAcceptance),
        FieldDefect(.frozenIsThawed),
        FieldDefect(.nextIsTakenAlong),
        FieldDefect(.identityIsRenewed),
        ignoring("what is cancelled stays queued", "DELETE ON _odata_request"),
    ]

    private static let ofTheRows: [FieldDefect] = [
        ignoring(
            "a deletion of others is not taken over", "DELETE ON Orders WHEN old._odata_id > 0"),
        ignoring("an accepted deletion leaves its row", "DELETE ON Orders WHEN old._odata_id < 0"),
        ignoring(
            "a change of others is not taken over",
            "UPDATE ON Orders WHEN new.Text LIKE 'others%' AND old.Text <> new.Text"),
        ignoring("a row of others is not taken over", "INSERT ON Orders WHEN new.Name LIKE 'x%'"),
        trigger(
            "a property of others is not taken over",
            """
            AFTER UPDATE OF Size ON Orders WHEN new.Size <> old.Size
            BEGIN UPDATE Orders SET Size = old.Size WHERE _odata_id = new._odata_id; END
            """),
        trigger(
            "a number is stored wrong",
            """
            AFTER INSERT ON Orders WHEN new.Size = 4
            BEGIN UPDATE Orders SET Size = 5 WHERE _odata_id = new._odata_id; END
            """),
        trigger(
            "the key that the service gave is not taken",
            """
            AFTER UPDATE OF Key ON Orders WHEN old.Key < 0 AND new.Key > 0
            BEGIN UPDATE Orders SET Key = old.Key WHERE _odata_id = new._odata_id; END
            """),
        trigger(
            "a change goes over what was read of other properties",
            """
            AFTER INSERT ON _odata_request WHEN new."table" = 'Orders'
            BEGIN UPDATE Orders SET Size = 99 WHERE _odata_id = new."row";
            UPDATE _odata_base_Orders SET Size = 99 WHERE _odata_id = new."row"; END
            """),
        trigger(
            "the image behind a change is lost",
            """
            AFTER INSERT ON _odata_base_Orders
            BEGIN DELETE FROM _odata_base_Orders WHERE _odata_id = new._odata_id; END
            """),
        trigger(
            "undo brings back another state",
            """
            AFTER INSERT ON _odata_base_Orders
            BEGIN UPDATE _odata_base_Orders SET Text = 'undone' WHERE _odata_id = new._odata_id; END
            """),
        trigger(
            "a tag is kept though the row has another",
            """
            AFTER UPDATE OF _odata_etag ON Orders WHEN new._odata_etag IS NOT old._odata_etag
            BEGIN UPDATE Orders SET _odata_etag = old._odata_etag
            WHERE _odata_id = new._odata_id; END
            """),
        trigger(
            "items keep the key that their order had here",
            """
            AFTER UPDATE OF OrderKey ON Items WHEN new.OrderKey IS NOT old.OrderKey
            BEGIN UPDATE Items SET OrderKey = old.OrderKey
            WHERE _odata_id = new._odata_id; END
            """),
    ]

    private static let ofTheSources: [FieldDefect] = [
        FieldDefect(.pageIsLost),
        trigger(
            "rows go when a delta link is kept",
            """
            AFTER UPDATE OF link ON _odata_delta
            BEGIN DELETE FROM Orders WHERE _odata_id % 3 = 0; END
            """),
        trigger(
            "a source that goes takes all rows with it",
            """
            AFTER DELETE ON _odata_source
            BEGIN DELETE FROM Orders WHERE _odata_id > 0; END
            """),
        ignoring(
            "a query that goes leaves its rows", "DELETE ON Orders WHEN old._odata_sources > 1"),
        trigger(
            "an interrupted read counts as complete",
            """
            AFTER INSERT ON _odata_resume
            BEGIN DELETE FROM _odata_resume WHERE query = new.query;
            INSERT OR REPLACE INTO _odata_delta (query, link, identity, tier, completed_at)
            SELECT new.query, NULL, '', 'fullRead', 0 WHERE 0; END
            """),
        trigger(
            "a query is forgotten",
            """
            AFTER INSERT ON _odata_download_query WHEN new.name = 'q1'
            BEGIN DELETE FROM _odata_download_query WHERE name = new.name; END
            """),
    ]
}
