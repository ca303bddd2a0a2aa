// swift-tools-version: 6.2
import PackageDescription

// Benchmarks are a package of their own, so that what they need is never built by `make test`.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "OfflineOData", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "Client", dependencies: [.product(name: "SAPOData", package: "OfflineOData")]),
        .executableTarget(
            name: "Server", dependencies: [.product(name: "ODataServer", package: "OfflineOData")]),
        .executableTarget(
            name: "Language", dependencies: [.product(name: "SAPOData", package: "OfflineOData")]),
        .executableTarget(
            name: "CodablePeer", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    ],
    swiftLanguageModes: [.v6]
)
