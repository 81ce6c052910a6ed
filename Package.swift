// swift-tools-version:6.2

import PackageDescription

// Systems whose SDK has no collection and table views. UIKit on watchOS is fonts, colours and the
// like.
let withoutListViews = TargetDependencyCondition.when(
  platforms: [.linux, .macOS, .watchOS, .android, .windows])

let withListViews = TargetDependencyCondition.when(
  platforms: [.iOS, .macCatalyst, .tvOS, .visionOS])

let package = Package(
  name: "Cellar",
  platforms: [
    .iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1), .macCatalyst(.v16),
  ],
  products: [
    .library(name: "Cellar", targets: ["Cellar"]),
    // For those who build on the parts: the log compiler, the proof, the placement. No SQLite.
    .library(name: "CellarParts", targets: ["ListModel", "BatchUpdates", "ListLayout"]),
    .library(name: "ListInspection", targets: ["ListInspection"]),
    .library(name: "CellarUIKit", targets: ["CellarUIKit"]),
    .library(name: "CellarSwiftUI", targets: ["CellarSwiftUI"]),
    .library(name: "FeedClient", targets: ["FeedClient"]),
    // For servers of feeds: the relay of tools/relay.
    .library(name: "FeedServing", targets: ["FeedServing"]),
    // For servers of apps that write to a relay. No SQLite.
    .library(name: "RelayClient", targets: ["RelayClient"]),
    .library(name: "HeadlessUIKit", targets: ["HeadlessUIKit"]),
    .executable(name: "cellar", targets: ["CellarCommand"]),
    // For tools/simulation alone: the file system whose calls fail.
    .library(name: "FaultVFS", targets: ["FaultVFS"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // The library, lowest first. Imports go down only: tools/check-imports knows the rule.
    .target(
      name: "ListModel",
      // A product without Foundation links nothing else that brings `trunc`.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "ListOrder", dependencies: ["ListModel"]),
    .target(name: "BatchUpdates", dependencies: ["ListModel", "ListOrder"]),
    .target(name: "ListLayout", dependencies: ["ListModel", "ListOrder"]),
    .target(
      name: "Providers", dependencies: ["ListModel", "ListOrder", "BatchUpdates", "ListLayout"]),
    .target(name: "ListItems", dependencies: ["ListModel", "ListLayout", "Providers"]),
    // C, for what Swift can't call.
    .target(name: "SQLiteSettings"),
    .target(name: "SHA256Instructions"),
    .target(
      name: "StoreFiles", dependencies: ["ListModel", "SQLiteSettings", "SHA256Instructions"],
      // For all modules: each product that touches files links this one.
      resources: [.copy("PrivacyInfo.xcprivacy")]),
    // Lists that are functions of other lists. Pure.
    .target(name: "DerivedLists", dependencies: ["ListModel"]),
    // Lists that load as one scrolls: pages of a server, and what to ask for next. Pure.
    .target(name: "Pages", dependencies: ["ListModel", "BatchUpdates", "ListItems"]),
    .target(
      name: "StoreSchema",
      dependencies: [
        "ListModel", "SQLiteSettings", "StoreFiles",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .target(
      name: "ListTables",
      dependencies: [
        "ListModel", "ListOrder", "BatchUpdates", "DerivedLists", "Pages", "StoreFiles",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .target(
      name: "ListStore",
      dependencies: [
        "ListModel", "ListOrder", "BatchUpdates", "Providers", "ListItems", "DerivedLists", "Pages",
        "StoreFiles", "StoreSchema", "ListTables",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "ListSync",
      dependencies: [
        "ListModel", "BatchUpdates", "Providers", "ListItems", "DerivedLists", "Pages",
        "StoreFiles", "ListTables", "ListStore",
      ]),
    // Feeds over HTTP. Nothing else depends on it.
    .target(
      name: "FeedClient", dependencies: ["ListModel", "StoreFiles", "ListStore", "ListSync"]),
    // Lists at the end of their logs, for servers of feeds. Nothing else depends on it.
    .target(
      name: "FeedServing",
      dependencies: [
        "ListModel", "BatchUpdates", "Providers", "StoreFiles", "ListTables", "ListStore",
        "ListSync",
      ]),
    // A relay's lists, written by the server of an app. Nothing else depends on it.
    .target(name: "RelayClient", dependencies: ["ListModel"]),
    .target(
      name: "ListInspection",
      dependencies: [
        "ListModel", "DerivedLists", "BatchUpdates", "ListLayout", "Providers", "StoreFiles",
        "StoreSchema", "ListTables", "ListStore",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      // Embedded as Swift by tools/embed.
      exclude: ["Report/Page"]),
    // UIKit's surface for lists, without a screen. Knows nothing of the rest.
    .target(name: "HeadlessUIKit"),
    // UIKit or HeadlessUIKit, whichever the system has.
    .target(
      name: "ListViews",
      dependencies: [.target(name: "HeadlessUIKit", condition: withoutListViews)]),
    .target(
      name: "CellarUIKit",
      dependencies: [
        "ListModel", "BatchUpdates", "ListLayout", "Providers", "ListItems", "Pages", "StoreFiles",
        "ListStore", "ListSync", "ListViews",
      ]),
    // Rows and sections for SwiftUI's views. Without SwiftUI, all but the property wrapper.
    .target(
      name: "CellarSwiftUI",
      dependencies: [
        "ListModel", "BatchUpdates", "Providers", "ListItems", "Pages", "ListStore", "ListSync",
        .target(name: "ListViews", condition: withListViews),
        .target(name: "CellarUIKit", condition: withListViews),
      ]),
    .target(
      name: "Cellar",
      dependencies: [
        "ListModel", "BatchUpdates", "ListLayout", "Providers", "ListItems", "Pages", "ListTables",
        "ListStore",
        "ListSync",
      ]),

    // For those who write migrations; the library has none of it.
    .target(
      name: "SchemaLint",
      dependencies: [
        "ListModel", "StoreFiles", "StoreSchema",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "tools/lint"),

    // The command `cellar`. Its target has another name because `Cellar` and `cellar` are one
    // file name on case-insensitive file systems.
    .executableTarget(
      name: "CellarCommand",
      dependencies: [
        "ListModel", "BatchUpdates", "Providers", "ListItems", "DerivedLists", "StoreFiles",
        "StoreSchema", "ListTables", "ListStore", "ListSync", "ListInspection", "SchemaLint",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "tools/cellar",
      // Embedded as Swift by tools/embed.
      exclude: ["Resources"]),

    // The sample app; without a screen on Linux.
    .executableTarget(
      name: "Bookshelf",
      dependencies: [
        "Cellar", "CellarUIKit", "FeedClient",
        .target(name: "HeadlessUIKit", condition: withoutListViews),
      ],
      path: "tools/sample", exclude: ["README.md", "books.ndjson"]),

    // Tests.
    .target(
      name: "TestSupport",
      dependencies: [
        "ListModel", "BatchUpdates", .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/Support"),
    // For test targets alone: unlike TestSupport, it needs Swift Testing.
    .target(name: "SuiteSupport", path: "Tests/SuiteSupport"),
    .target(
      name: "SchemaSupport", dependencies: ["StoreSchema", "TestSupport"],
      path: "Tests/SchemaSupport"),
    .target(
      name: "ScreenSupport",
      dependencies: ["ListModel", "Cellar", "CellarUIKit", "HeadlessUIKit", "TestSupport"],
      path: "Tests/ScreenSupport"),
    // C: an SQLite file system whose calls fail when a test says so.
    .target(name: "FaultVFS", path: "Tests/FaultVFS"),
    .executableTarget(
      name: "CommitUntilKilled",
      dependencies: [
        "ListModel", "BatchUpdates", "Providers", "ListItems", "StoreFiles", "StoreSchema",
        "DerivedLists", "Pages", "ListTables", "ListStore",
        "ListSync",
        "ListInspection", "TestSupport", "SchemaSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/CommitUntilKilled"),
    .testTarget(name: "ListModelTests", dependencies: ["ListModel", "TestSupport"]),
    .testTarget(name: "ListOrderTests", dependencies: ["ListModel", "ListOrder", "TestSupport"]),
    .testTarget(
      name: "BatchUpdatesTests",
      dependencies: ["ListModel", "ListOrder", "BatchUpdates", "TestSupport"]),
    .testTarget(
      name: "ListLayoutTests", dependencies: ["ListModel", "ListLayout", "TestSupport"]),
    .testTarget(
      name: "DerivedListsTests", dependencies: ["ListModel", "DerivedLists", "TestSupport"]),
    .testTarget(
      name: "PagesTests", dependencies: ["ListModel", "BatchUpdates", "Pages", "TestSupport"]),
    .testTarget(
      name: "ProvidersTests",
      dependencies: [
        "ListModel", "ListOrder", "BatchUpdates", "Providers", "ListItems", "TestSupport",
      ]),
    .testTarget(
      name: "ListItemsTests",
      dependencies: ["ListModel", "Providers", "ListItems", "TestSupport"]),
    .testTarget(
      name: "HeadlessUIKitTests",
      dependencies: ["ListModel", "BatchUpdates", "HeadlessUIKit", "TestSupport"]),
    .testTarget(
      name: "CellarUIKitTests",
      dependencies: [
        "ListModel", "BatchUpdates", "ListLayout", "Providers", "ListItems", "StoreFiles",
        "StoreSchema",
        "ListStore",
        "ListSync", "Pages", "CellarUIKit", "HeadlessUIKit", "SuiteSupport", "TestSupport",
        "ScreenSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    // In UIKit's own views where there is UIKit.
    .testTarget(
      name: "UIKitTests",
      dependencies: [
        "Cellar", "CellarUIKit", .target(name: "HeadlessUIKit", condition: withoutListViews),
        "TestSupport",
      ]),
    .testTarget(
      name: "CellarSwiftUITests",
      dependencies: [
        "ListModel", "BatchUpdates", "Providers", "ListItems", "Pages", "ListStore", "ListSync",
        "CellarSwiftUI", "SuiteSupport", "TestSupport",
      ]),
    // As an app sees the package: of ours the two products, and no `package` declaration.
    .testTarget(
      name: "CapabilityTests",
      dependencies: [
        "Cellar", "CellarUIKit", "HeadlessUIKit", "SuiteSupport", "TestSupport", "ScreenSupport",
        "CommitUntilKilled",
      ],
      exclude: ["Capabilities.md"], packageAccess: false),
    .target(
      name: "StoreSupport",
      dependencies: [
        "ListModel", "StoreFiles", "StoreSchema", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/StoreSupport"),
    .testTarget(
      name: "StoreFilesTests",
      dependencies: [
        "ListModel", "StoreFiles", "StoreSchema", "CommitUntilKilled", "StoreSupport",
        "SuiteSupport", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "StoreSchemaTests",
      dependencies: [
        "ListModel", "StoreFiles", "StoreSchema", "CommitUntilKilled", "StoreSupport",
        "TestSupport", "SchemaSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "ListStoreTests",
      dependencies: [
        "ListModel", "BatchUpdates", "ListLayout", "Providers", "ListItems", "DerivedLists",
        "StoreFiles", "StoreSchema",
        "ListTables", "ListStore",
        "ListSync", "CommitUntilKilled", "SuiteSupport", "TestSupport", "SchemaSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "ListSyncTests",
      dependencies: [
        "ListModel", "BatchUpdates", "Providers", "ListItems", "DerivedLists", "StoreFiles",
        "StoreSchema",
        "ListTables", "ListStore",
        "ListSync", "Pages", "Cellar", "CommitUntilKilled", "SuiteSupport", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "FeedClientTests",
      dependencies: [
        "ListModel", "StoreFiles", "StoreSchema", "ListStore", "ListSync", "FeedClient",
        "SuiteSupport", "TestSupport",
      ]),
    .testTarget(
      name: "RelayClientTests",
      dependencies: ["ListModel", "StoreFiles", "RelayClient", "TestSupport"]),
    .testTarget(
      name: "FeedServingTests",
      dependencies: [
        "ListModel", "Providers", "ListStore", "ListSync", "FeedServing", "TestSupport",
      ]),
    .testTarget(
      name: "ListInspectionTests",
      dependencies: [
        "ListModel", "ListLayout", "DerivedLists", "StoreFiles", "StoreSchema", "ListTables",
        "ListStore",
        "ListSync", "ListInspection",
        "SuiteSupport", "TestSupport", "SchemaSupport",
        "CommitUntilKilled",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "ListModel", "Providers", "ListItems", "StoreFiles", "StoreSchema", "ListTables",
        "ListStore", "ListSync",
        "ListInspection",
        "FaultVFS", "TestSupport", "SchemaSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "ListModel", "ListItems", "CellarCommand", "StoreFiles", "StoreSchema", "ListTables",
        "ListStore", "ListSync", "ListInspection",
        "TestSupport", "SchemaSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "SampleTests",
      dependencies: [
        "ListModel", "Providers", "ListItems", "ListStore", "ListSync", "CellarUIKit",
        "HeadlessUIKit",
        "Bookshelf", "TestSupport",
      ]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "ListModel", "BatchUpdates", "ListLayout", "StoreFiles", "StoreSchema", "ListStore",
        "ListSync", "Cellar", "ListInspection",
        "FeedClient", "RelayClient", "CellarUIKit", "CellarSwiftUI", "HeadlessUIKit",
        "CellarCommand",
        "SuiteSupport", "TestSupport",
      ],
      exclude: ["PublicNames.txt"]),
  ]
)

let targetsInC = ["SQLiteSettings", "SHA256Instructions", "FaultVFS"]
for target in package.targets where !targetsInC.contains(target.name) {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
  if target.type == .test {
    // It is the modules under test that have to be fast.
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
  }
}
