// swift-tools-version: 6.2
import PackageDescription

// The tool that `make mutate` puts mutants into a copy of the house with. A package of its own, so that nothing of the
// house resolves or builds swift-syntax.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Mutation",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1")
    ],
    targets: [
        .target(
            name: "Mutation",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftOperators", package: "swift-syntax"),
            ], swiftSettings: settings),
        .executableTarget(name: "mutants", dependencies: ["Mutation"], swiftSettings: settings),
        .testTarget(name: "MutationTests", dependencies: ["Mutation"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
