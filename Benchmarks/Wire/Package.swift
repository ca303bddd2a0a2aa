// swift-tools-version: 6.2
import PackageDescription

// Times the readers and writers that have no public door. The modules are links to those of the house, so that nothing
// else is resolved or built, and the program is of their package.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]
let query: [Target.Dependency] = ["ODataQuery", "ODataModel", "ODataText"]

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Modules/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "Wire",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "CODataScan", path: "Modules/CODataScan"),
        module("ODataText", ["CODataScan"]),
        module("ODataModel", ["ODataText"]),
        module("ODataQuery", ["ODataModel", "ODataText"]),
        module("ODataWire", query),
        .executableTarget(
            name: "Wire", dependencies: ["ODataWire"] + query, swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
