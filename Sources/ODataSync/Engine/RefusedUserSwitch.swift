/// Why a store is not opened for another user than the last.
package struct RefusedUserSwitch: Error, Sendable, Hashable {
    package init() {}
}
