// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets are a package of their own, because they are built with a sanitizer and have no main function (see
// `make fuzz`). The modules they run are links to those of the house, so that no dependency of the house is resolved or
// built, and everything they run counts its edges.
let names = ["FuzzCSDL", "FuzzJSON", "FuzzURL", "FuzzMultipart", "FuzzAtom"]
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]
let query: [Target.Dependency] = ["ODataQuery", "ODataModel", "ODataText"]

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Modules/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "CODataScan", path: "Modules/CODataScan"),
        module("ODataText", ["CODataScan"]),
        module("ODataModel", ["ODataText"]),
        module("ODataQuery", ["ODataModel", "ODataText"]),
        module("ODataWire", query),
        module("ODataFuzzing", ["ODataWire"] + query),
    ]
        + names.map { name in
            .executableTarget(
                name: name, dependencies: ["ODataFuzzing"],
                swiftSettings: [.unsafeFlags(["-parse-as-library"])])
        },
    swiftLanguageModes: [.v6]
)
