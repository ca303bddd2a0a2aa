// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets are a package of their own, because they are built with another sanitizer and have no main function:
// swift build -c release --sanitize fuzzer (see `make fuzz`).
let names = ["FuzzCSDL", "FuzzJSON", "FuzzURL", "FuzzMultipart"]

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OfflineOData", path: "..")],
    targets: names.map { name in
        .executableTarget(
            name: name, dependencies: [.product(name: "ODataFuzzing", package: "OfflineOData")],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])])
    },
    swiftLanguageModes: [.v6]
)
