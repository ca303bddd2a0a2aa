/// A defect of a store, as a trigger in its file: what the simulations share of them.
package struct PlantedTrigger: Sendable {
    package let name: String
    package let sql: String

    package init(_ name: String, _ rest: String) {
        self.name = name
        sql = "CREATE TRIGGER IF NOT EXISTS \"planted \(name)\" \(rest)"
    }

    package static let requestIsLost = PlantedTrigger(
        "a change is acknowledged without its request",
        """
        AFTER INSERT ON _odata_request WHEN new.id % 4 = 0
        BEGIN DELETE FROM _odata_request WHERE id = new.id; END
        """)

    package static let rowIsAnother = PlantedTrigger(
        "a change goes to another row",
        """
        AFTER INSERT ON _odata_request WHEN new.operation = 'merge' AND new."row" > 1
        BEGIN UPDATE _odata_request SET "row" = new."row" - 1 WHERE id = new.id; END
        """)

    package static let refusalIsForgotten = PlantedTrigger(
        "a refusal is forgotten with its request",
        """
        AFTER UPDATE OF state ON _odata_request WHEN new.state = 'failed'
        BEGIN DELETE FROM _odata_request WHERE id = new.id; END
        """)

    package static let silenceIsAcceptance = PlantedTrigger(
        "a sending without an answer counts as accepted",
        """
        AFTER UPDATE OF send_count ON _odata_attempt WHEN new.send_count > 1
        BEGIN DELETE FROM _odata_request WHERE attempt = new.id;
        DELETE FROM _odata_attempt WHERE id = new.id; END
        """)

    package static let frozenIsThawed = PlantedTrigger(
        "a frozen request never goes on",
        """
        AFTER UPDATE OF state ON _odata_request WHEN new.state = 'frozen' AND new.id % 3 = 0
        BEGIN UPDATE _odata_request SET state = 'waiting', attempt = NULL WHERE id = new.id;
        DELETE FROM _odata_attempt WHERE id = new.attempt; END
        """)

    package static let nextIsTakenAlong = PlantedTrigger(
        "what is done takes the next request with it",
        """
        AFTER DELETE ON _odata_request
        BEGIN DELETE FROM _odata_request WHERE id = old.id + 1; END
        """)

    package static let identityIsRenewed = PlantedTrigger(
        "an identity is drawn anew after it was sent",
        """
        AFTER UPDATE OF state ON _odata_request WHEN old.state = 'frozen'
        BEGIN UPDATE _odata_request SET repeatability_id =
        '00000000-0000-4000-8000-' || substr('000000000000' || new.id, -12)
        WHERE id = new.id; DELETE FROM _odata_attempt WHERE id = old.attempt; END
        """)

    package static let pageIsLost = PlantedTrigger(
        "a page that waits is lost",
        """
        AFTER INSERT ON _odata_stage
        BEGIN DELETE FROM _odata_stage WHERE query = new.query AND page = new.page; END
        """)
}
