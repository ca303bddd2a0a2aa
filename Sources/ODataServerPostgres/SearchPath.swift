/// Where names without a schema are looked for.
///
/// Our own statements name ours only, so that nothing in another schema changes what they mean. While rows are changed, triggers, defaults
/// and checks of the owner run, which count on the path that the database or the user has.
enum SearchPath {
    /// Statements that each connection runs once.
    static let preparation = [
        "SELECT set_config('odata.search_path', current_setting('search_path'), false)",
        "SET search_path = \(OwnSchema.quotedName)",
    ]

    /// For the rest of a transaction: the path of before, and ours behind it.
    static let ofOwner = """
        SELECT set_config('search_path', concat_ws(', ',
            nullif(current_setting('odata.search_path'), ''), '\(OwnSchema.quotedName)'), true)
        """
}
