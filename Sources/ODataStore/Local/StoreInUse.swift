/// Why a store cannot be written: another provider or process is writing it, and did not end in time.
package struct StoreInUse: Error, Sendable, Hashable {
    package init() {}
}
