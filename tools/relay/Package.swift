// swift-tools-version:6.2

import PackageDescription

// A package of its own, so that nothing it needs is needed by an app.
let package = Package(
  name: "CellarRelay",
  platforms: [.macOS(.v14)],
  products: [
    .executable(name: "cellar-relay", targets: ["RelayCommand"]),
    // A node for a program that has no port for it: see EmbeddedNode.
    .library(name: "Relay", targets: ["Relay"]),
    .executable(name: "relay-bench", targets: ["RelayBench"]),
  ],
  dependencies: [
    .package(name: "Cellar", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
  ],
  targets: [
    .systemLibrary(
      name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // Of the system on every platform; on Debian it needs its header.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    // Of the C library, what Swift's module of it lacks.
    .systemLibrary(name: "CMalloc"),
    .target(
      name: "RelayEngine",
      dependencies: [
        "CLibPQ",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "Relay",
      dependencies: [
        "CZlib", "RelayEngine",
        // Of Cellar: lists at the ends of their logs, and the values that they consist of.
        .product(name: "CellarParts", package: "Cellar"),
        .product(name: "FeedServing", package: "Cellar"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "JWTKit", package: "jwt-kit"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .executableTarget(
      name: "RelayCommand",
      dependencies: [
        "CMalloc", "Relay", "RelayEngine",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ]),
    .executableTarget(
      name: "RelayBench",
      dependencies: [
        "Relay", "RelayEngine",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Cellar", package: "Cellar"),
        .product(name: "CellarParts", package: "Cellar"),
        .product(name: "CellarUIKit", package: "Cellar"),
        .product(name: "FeedClient", package: "Cellar"),
        .product(name: "FeedServing", package: "Cellar"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HeadlessUIKit", package: "Cellar"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .target(
      name: "RelaySupport",
      dependencies: [
        "RelayEngine",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ], path: "Tests/RelaySupport"),
    .testTarget(name: "RelayEngineTests", dependencies: ["RelayEngine", "RelaySupport"]),
    .testTarget(
      name: "RelayTests",
      dependencies: [
        "Relay", "RelayEngine", "RelaySupport",
        .product(name: "Cellar", package: "Cellar"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "FeedClient", package: "Cellar"),
        .product(name: "FeedServing", package: "Cellar"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "RelayClient", package: "Cellar"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
