import ODataClasses
import ODataSync

/// What a local database does by itself, and may be told to leave to the app.
extension SQLDatabaseProvider {
    /// True, as at first, to give entities that are created without a key one that the service replaces; false to refuse
    /// them, with status 400.
    public var autoGenerateKeys: Bool {
        get { rules.generatesKeys }
        set { changeRules { $0.generatesKeys = newValue } }
    }

    /// True, as at first, to take and send the key values that an entity to be created was given; false to leave them out, so
    /// that the service numbers it. Keys of types that the database cannot make values of, as dates, are taken in any case.
    public var useClientProvidedKeys: Bool {
        get { rules.usesGivenKeys }
        set { changeRules { $0.usesGivenKeys = newValue } }
    }

    /// True, as at first, to link an entity with its creation or update to those it was bound to, and to those that exist
    /// among the entities of its navigation properties; false to leave them out: bindings go on waiting.
    public var autoBindEntities: Bool {
        get { rules.binds }
        set { changeRules { $0.binds = newValue } }
    }

    /// True, as at first, to remove the links that an entity was unbound from with its update; false to let them wait.
    public var autoUnbindEntities: Bool {
        get { rules.unbinds }
        set { changeRules { $0.unbinds = newValue } }
    }

    /// True, as at first, to create the new entities of single-valued navigation properties with the entity that holds them;
    /// false to leave them out.
    public var autoCreateParents: Bool {
        get { rules.createsParents }
        set { changeRules { $0.createsParents = newValue } }
    }

    /// True, as at first, to create the new entities of collections with the entity that holds them; false to leave them
    /// out.
    public var autoCreateChildren: Bool {
        get { rules.createsChildren }
        set { changeRules { $0.createsChildren = newValue } }
    }
}
