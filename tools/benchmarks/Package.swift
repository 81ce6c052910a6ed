// swift-tools-version:6.2

import PackageDescription

let package = Package(
  name: "CellarBenchmarks",
  platforms: [.macOS(.v13)],
  products: [
    // What a package with a differ of its own depends on: see README.md.
    .library(name: "BenchmarkKit", targets: ["BenchmarkKit"]),
    .executable(name: "cellar-benchmarks", targets: ["CellarBenchmarks"]),
  ],
  dependencies: [
    .package(name: "Cellar", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // Measured beside ours, not used.
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // What SQLite can do at best, in C.
    .target(
      name: "Floor", cSettings: [.unsafeFlags(["-O2"], .when(configuration: .release))],
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "BenchmarkKit",
      dependencies: [
        "Floor",
        .product(name: "Cellar", package: "Cellar"),
        .product(name: "CellarUIKit", package: "Cellar"),
        .product(name: "HeadlessUIKit", package: "Cellar"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "_RopeModule", package: "swift-collections"),
      ]),
    .executableTarget(name: "CellarBenchmarks", dependencies: ["BenchmarkKit"]),
  ]
)

for target in package.targets where target.name != "Floor" {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
