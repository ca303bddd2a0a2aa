// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Arrows point down only: a target lists here what it may import, and `make layers` checks that its
// files import nothing else of ours. The table in docs/architecture.md says what lives where.

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
/// A product that a trait brings: without it the package is not built, nor fetched where nothing else names it.
func product(_ name: String, _ package: String, trait: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: [trait]))
}

// Without this trait the transport is the system's URLSession (docs/decisions/0012).
let asyncHTTP = [
    ("AsyncHTTPClient", "async-http-client"), ("NIOCore", "swift-nio"),
    ("NIOEmbedded", "swift-nio"), ("NIOHTTP1", "swift-nio"), ("NIOPosix", "swift-nio"),
    ("NIOHTTPCompression", "swift-nio-extras"), ("NIOSSL", "swift-nio-ssl"),
].map { product($0, $1, trait: "AsyncHTTPClient") }
// What the companion service, the command and tests stand on; clients need none of it.
let nioCore = product("NIOCore", "swift-nio", trait: "Service")
let nioHTTP1 = product("NIOHTTP1", "swift-nio", trait: "Service")
let nioPosix = product("NIOPosix", "swift-nio", trait: "Service")
let compression = product("NIOHTTPCompression", "swift-nio-extras", trait: "Service")
let hummingbirdCore = product("HummingbirdCore", "hummingbird", trait: "Service")
let nioHTTPTypes = product("NIOHTTPTypes", "swift-nio-extras", trait: "Service")
let nioHTTPTypes1 = product("NIOHTTPTypesHTTP1", "swift-nio-extras", trait: "Service")
let httpTypes = product("HTTPTypes", "swift-http-types", trait: "Service")
let logging = product("Logging", "swift-log", trait: "Service")
let nioSSL = product("NIOSSL", "swift-nio-ssl", trait: "Service")
// Passwords and tokens of the service's clients, on every platform.
let serviceCrypto = ["Crypto", "CryptoExtras"].map { product($0, "swift-crypto", trait: "Service") }
let arguments = product("ArgumentParser", "swift-argument-parser", trait: "Service")
// On Linux the system's libcrypto does what these do (docs/decisions/0006).
let crypto: [Target.Dependency] = ["Crypto", "CryptoExtras"].map {
    .product(name: $0, package: "swift-crypto", condition: .when(platforms: [.macOS, .iOS]))
}

let query: [Target.Dependency] = ["ODataQuery", "ODataModel", "ODataText"]
let wire: [Target.Dependency] = ["ODataWire"] + query
let sql: [Target.Dependency] = ["ODataSQL"] + query
let syncPlan: [Target.Dependency] = ["ODataSyncPlan", "ODataSQL"] + wire
let store: [Target.Dependency] =
    ["ODataStore", "ODataSQLite", "ODataWorld"] + syncPlan
let transport: [Target.Dependency] = ["ODataTransport", "ODataWorld"] + wire
let sync: [Target.Dependency] = ["ODataSync", "ODataTransport"] + store
let classes: [Target.Dependency] = ["ODataClasses"] + syncPlan
let providers: [Target.Dependency] =
    ["ODataProviders", "ODataClasses", "SAPFoundation", "SAPCommon"] + sync
let everything: [Target.Dependency] =
    ["ODataServer", "SAPOData", "SAPOfflineOData"] + providers

// What reaches PostgreSQL is there where pkg-config finds libpq (Debian: libpq-dev, which Scripts/setup installs), and nowhere
// where ODATA_NO_POSTGRESQL says so.
let hasLibPQ: Bool = {
    let environment = ProcessInfo.processInfo.environment
    guard environment["ODATA_NO_POSTGRESQL"] == nil else { return false }
    let named = ["PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR"].compactMap { environment[$0] }
    let folders =
        named.flatMap { $0.split(separator: ":").map { String($0) } } + [
            "/usr/lib/x86_64-linux-gnu/pkgconfig", "/usr/lib/aarch64-linux-gnu/pkgconfig",
            "/usr/lib64/pkgconfig", "/usr/lib/pkgconfig", "/usr/share/pkgconfig",
            "/usr/local/lib/pkgconfig", "/opt/homebrew/opt/libpq/lib/pkgconfig",
            "/usr/local/opt/libpq/lib/pkgconfig",
        ]
    return folders.contains { FileManager.default.fileExists(atPath: $0 + "/libpq.pc") }
}()
// A server for tests is started on Linux only.
#if os(Linux)
    let testsPostgreSQL = hasLibPQ
#else
    let testsPostgreSQL = false
#endif
let postgreSQL: [Target.Dependency] =
    testsPostgreSQL ? ["PostgreSQLFixture", "ODataPostgres"] : []

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: ["ErrorFixture"] + dependencies)
}

/// An app of users of older or newer generated classes; what is exported to it is named, so that it is made anew with that.
func app(_ name: String) -> Target {
    .target(
        name: name, dependencies: ["SAPOfflineOData", "SAPOData"] + providers,
        path: "Tests/SourceCompatApps/\(name)", packageAccess: false)
}

var targets: [Target] = [
    .target(name: "CODataScan"),
    .target(name: "CODataVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    library("ODataWorld"),
    library("ODataText", ["CODataScan"]),
    library("ODataModel", ["ODataText"]),
    library("ODataQuery", ["ODataModel", "ODataText"]),
    // The published grammar as data, for the command and for tests: no program carries it.
    library("ODataGrammar", query),
    library("ODataWire", query),
    library("ODataSQL", query),
    // What the package in Fuzz/ runs.
    library("ODataFuzzing", wire),
    library("ODataSyncPlan", ["ODataSQL"] + wire),
    // Document in, files out: what the command writes.
    library("ODataProxyGen", ["ODataWire", "ODataModel", "ODataText"]),
    library("ODataSQLite", ["CODataVFS"] + sql + [grdb, sqlite] + crypto),
    library("ODataStore", ["ODataSQLite", "ODataWorld"] + syncPlan + [grdb, sqlite]),
    library("ODataTransport", ["ODataWorld"] + wire + asyncHTTP),
    library("ODataSync", store + ["ODataTransport"]),
    library("OData", sync),
    library("SAPCommon"),
    library("SAPFoundation", ["SAPCommon"] + transport),
    library("ODataClasses", syncPlan),
    library("ODataProviders", sync + ["ODataClasses", "SAPFoundation", "SAPCommon"]),
    library("SAPOData", ["ODataProviders", "ODataClasses", "SAPFoundation", "SAPCommon"]),
    library("SAPOfflineOData", ["SAPOData"] + providers),
    library(
        "ODataServer",
        ["ODataSQLite", "ODataSQL"] + transport + [
            hummingbirdCore, httpTypes, compression, nioHTTPTypes, nioHTTPTypes1,
            nioCore, nioHTTP1, nioPosix, grdb, sqlite, logging, nioSSL,
        ] + serviceCrypto),
    library("ODataProxy", ["ODataServer"] + providers + [logging]),
    library("ODataTesting", everything + [grdb]),
    library(
        "ODataCommand",
        ["ODataTesting", "ODataProxy", "ODataGrammar", "ODataProxyGen"] + everything
            + (hasLibPQ ? ["ODataServerPostgres", "ODataPostgres"] : []) + [arguments, grdb]),
    .executableTarget(name: "ODataMain", dependencies: ["ODataCommand"]),
    // The model that the tests of the compiler and of what runs its statements share.
    .target(name: "ModelFixture", dependencies: query, path: "Tests/ModelFixture"),
    .target(name: "ShopFixture", dependencies: sql, path: "Tests/ShopFixture"),
    // What tests compare of an error.
    .target(name: "ErrorFixture", dependencies: ["ODataText"], path: "Tests/ErrorFixture"),
    .target(
        name: "APIErrorFixture", dependencies: ["ErrorFixture", "ODataClasses"],
        path: "Tests/APIErrorFixture"),
    // What tests of the engine and of its provider do with the sample of a workplace.
    .target(
        name: "WorkplaceFixture", dependencies: ["ODataTesting"] + everything + [grdb],
        path: "Tests/WorkplaceFixture"),
    // A service of its own making: it shares no code with the product.
    .target(name: "StrictService", path: "Tests/StrictService"),
    // Apps of four generations of generated classes, as foreign code: nothing of the package's own is visible to them.
    app("Generation17"), app("Generation18"), app("Generation22"), app("Generation26"),
    // Technicians at a service in memory, in simulated time: what tests and the soak run.
    .target(
        name: "FieldSimulation", dependencies: ["ODataTesting"] + everything + [grdb],
        path: "Tests/FieldSimulation"),
    .target(
        name: "CSQLiteSettings", path: "Tests/CSQLiteSettings",
        linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
        name: "Simulate", dependencies: ["CSQLiteSettings", "FieldSimulation"],
        path: "Tests/Simulate"),
    // Children that tests start.
    .target(name: "ChildFixture", path: "Tests/ChildFixture"),
    // The data of others that tests of several targets read.
    .target(name: "ConformanceData", path: "Tests/ConformanceData"),
    // What the generator makes of the sample and of what tests add to it; a test makes it again.
    .target(name: "GeneratedSample", dependencies: ["SAPOData"], path: "Tests/GeneratedSample"),
    .target(name: "GeneratedStructs", dependencies: ["OData"], path: "Tests/GeneratedStructs"),
    .executableTarget(
        name: "QuickStart", dependencies: ["SAPOData"], path: "Examples/QuickStart"),
    .executableTarget(
        name: "FirstList", dependencies: ["OData"], path: "Examples/FirstList"),
    .executableTarget(
        name: "ServiceInTests", dependencies: ["SAPOData", "ODataServer", "ODataTesting"],
        path: "Examples/ServiceInTests"),

    tests("ODataTextTests", ["ODataText"]),
    tests("ODataModelTests", ["ODataModel", "ODataText"]),
    tests("ODataQueryTests", ["ModelFixture", "ConformanceData"] + query),
    tests("ODataGrammarTests", ["ODataGrammar", "ModelFixture", "ConformanceData"] + query),
    tests(
        "ODataWireTests",
        ["ODataFuzzing", "ModelFixture", "ConformanceData", "ChildFixture"] + wire),
    tests("ODataSQLTests", ["ShopFixture"] + sql),
    tests("ODataSyncPlanTests", syncPlan),
    tests(
        "ODataProxyGenTests",
        [
            "ODataProxyGen", "GeneratedSample", "GeneratedStructs", "OData", "ConformanceData",
            "ODataTesting", "ChildFixture", "StrictService",
        ] + everything),
    tests("ODataSQLiteTests", ["ODataSQLite", "ShopFixture"] + sql + [grdb, sqlite]),
    tests("ODataStoreTests", ["ODataTesting"] + everything + postgreSQL + [grdb, sqlite]),
    tests("ODataTransportTests", ["ODataTesting"] + transport + [nioCore, nioHTTP1, nioPosix]),
    tests(
        "ODataSyncTests",
        ["APIErrorFixture", "WorkplaceFixture", "ODataTesting"] + everything + [grdb]),
    .testTarget(
        name: "ODataFaceTests",
        dependencies: ["OData", "ODataQuery", "ODataTesting", "ODataServer", grdb],
        exclude: ["TypeChecks"]),
    tests("ODataClassesTests", ["APIErrorFixture", "ModelFixture"] + classes),
    tests(
        "ODataProvidersTests",
        ["APIErrorFixture", "ConformanceData", "WorkplaceFixture", "ODataTesting"] + everything + [
            grdb
        ]),
    tests("SAPOfflineODataTests", ["APIErrorFixture", "ODataTesting"] + everything + [grdb]),
    tests(
        "ODataServerTests",
        ["ODataTesting"] + everything + [grdb, sqlite] + serviceCrypto),
    tests(
        "ODataProxyTests",
        ["ODataProxy", "ODataTesting", "StrictService"] + everything + [grdb]),
    tests(
        "SourceCompatTests",
        [
            "APIErrorFixture", "ODataTesting", "Generation17", "Generation18", "Generation22",
            "Generation26",
        ] + everything),
    tests(
        "StrictServiceTests", ["StrictService", "ODataTesting"] + everything + [grdb]),
    tests(
        "SimulationTests",
        ["FieldSimulation", "ODataTesting", "ODataCommand"] + everything + [grdb]),
]

// iOS starts no processes: who builds for it leaves the tests out that do (.github/workflows/ci.yml).
if ProcessInfo.processInfo.environment["ODATA_NO_PROCESSES"] == nil {
    targets += [
        // The process that KillTests kill.
        .executableTarget(
            name: "KillChild", dependencies: ["ODataTesting"] + everything, path: "Tests/KillChild"),
        tests(
            "EndToEndTests",
            ["APIErrorFixture", "ChildFixture", "ODataTesting", "ODataCommand"] + everything
                + postgreSQL + [grdb]),
    ]
}

if hasLibPQ {
    targets += [
        .systemLibrary(
            name: "CLibPQ", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // Connections to PostgreSQL; the service's alone.
        library("ODataPostgres", ["CLibPQ", "ODataWorld"] + sql),
        library(
            "ODataServerPostgres",
            ["ODataPostgres", "ODataServer", "ODataSQLite", "ODataWire", "ODataWorld"] + sql),
    ]
}
if testsPostgreSQL {
    targets += [
        .target(
            name: "PostgreSQLFixture",
            dependencies: ["ChildFixture", "ODataPostgres"] + sql + [grdb],
            path: "Tests/PostgreSQLFixture"),
        tests(
            "PostgreSQLTests",
            ["PostgreSQLFixture", "ODataPostgres", "ShopFixture", "ODataSQLite"] + sql + [
                grdb, sqlite,
            ]),
        tests("ODataPostgresTests", ["PostgreSQLFixture", "ODataPostgres", "ODataWorld"] + sql),
        tests(
            "ODataServerPostgresTests",
            [
                "PostgreSQLFixture", "ODataServerPostgres", "ODataPostgres", "ODataServer",
                "ODataWire",
            ]
                + sql + [grdb]),
    ]
}

// Library products name their inner targets too, so that the API-breakage check sees them.
let engineTargets = [
    "ODataWorld", "ODataText", "ODataModel", "ODataQuery", "ODataWire", "ODataSQL",
    "ODataSyncPlan", "ODataSQLite", "ODataStore", "ODataTransport", "ODataSync",
]
let odataTargets =
    engineTargets + ["SAPCommon", "SAPFoundation", "ODataClasses", "ODataProviders"]

var products: [Product] = [
    .library(name: "OData", targets: engineTargets + ["OData"]),
    .library(name: "ODataServer", targets: ["ODataServer"]),
    .library(name: "ODataTesting", targets: ["ODataTesting"]),
    .executable(name: "odata", targets: ["ODataMain"]),
    .library(name: "SAPOData", targets: odataTargets + ["SAPOData"]),
    .library(
        name: "SAPOfflineOData",
        targets: odataTargets + ["SAPOData", "SAPOfflineOData"]),
]

// A plugin's tool, and the modules beneath it, are built for the host once more in every build of the package that declares it,
// whether anything uses it or not: our own builds leave it out (Makefile), clients have it.
if ProcessInfo.processInfo.environment["ODATA_NO_PLUGIN"] == nil {
    targets += [
        .executableTarget(
            name: "ODataGeneratorTool", dependencies: ["ODataProxyGen", "ODataText"],
            path: "Plugins/ODataGeneratorTool"),
        .plugin(
            name: "ODataGenerator", capability: .buildTool(), dependencies: ["ODataGeneratorTool"]),
    ]
    products.append(.plugin(name: "ODataGenerator", targets: ["ODataGenerator"]))
}

// ODATA_TESTS names the test targets to build where not all are wanted: `ODATA_TESTS="ODataStoreTests" swift build --build-tests`.
if let named = ProcessInfo.processInfo.environment["ODATA_TESTS"] {
    let wanted = Set(named.split(separator: " ").map(String.init))
    targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
// The testing macros expand to code that warns, so tests are left out.
let strict: [SwiftSetting] =
    ProcessInfo.processInfo.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]
// What knows of PostgreSQL in one file or two.
for target in targets
where hasLibPQ && target.name == "ODataCommand"
    || testsPostgreSQL && ["ODataStoreTests", "EndToEndTests"].contains(target.name)
{
    target.swiftSettings = [.define("PostgreSQL")]
}
// Apps are compiled as they were written: in the language of their years.
for target in targets where target.name.hasPrefix("Generation") {
    target.swiftSettings = [.swiftLanguageMode(target.name == "Generation26" ? .v6 : .v5)]
}
for target in targets
where target.type != .system && target.type != .plugin && !target.name.hasPrefix("COData")
    && !target.name.hasPrefix("Generation")
{
    target.swiftSettings = (target.swiftSettings ?? []) + settings
    if target.type != .test { target.swiftSettings? += strict }
}

let package = Package(
    name: "OfflineOData",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: products,
    traits: [
        .default(enabledTraits: ["AsyncHTTPClient", "Service"]),
        .trait(
            name: "AsyncHTTPClient",
            description:
                "HTTP by AsyncHTTPClient; without it by the system's URLSession, with fewer packages."
        ),
        .trait(
            name: "Service",
            description: "What ODataServer, ODataTesting and the command need; clients do without."),
        .trait(
            name: "LegacyGenericDataService",
            description: "SAPOData calls the generic service of older generations DataService."),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: targets
)
