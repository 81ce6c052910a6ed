// swift-tools-version:6.2

import PackageDescription

// A package of its own, so that nothing it needs is needed by an app.
let package = Package(
  name: "CellarSimulation",
  platforms: [.macOS(.v14)],
  products: [
    .executable(name: "cellar-simulate", targets: ["SimulateCommand"])
  ],
  dependencies: [
    .package(name: "Cellar", path: "../.."),
    .package(name: "CellarRelay", path: "../relay"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // C: what stands in for the system's clock, threads, queues, randomness and disk.
    .target(
      name: "SimulatedSystem",
      dependencies: [.product(name: "FaultVFS", package: "Cellar")]),
    .executableTarget(
      name: "SimulateCommand",
      dependencies: [
        "SimulatedSystem",
        .product(name: "FaultVFS", package: "Cellar"),
        .product(name: "Cellar", package: "Cellar"),
        .product(name: "CellarUIKit", package: "Cellar"),
        .product(name: "FeedClient", package: "Cellar"),
        .product(name: "HeadlessUIKit", package: "Cellar"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Relay", package: "CellarRelay"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // The system's libraries call the functions of SimulatedSystem instead of their own.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),
    // They start the program: what it defines must not be in the tests' own process.
    .testTarget(name: "SimulationTests"),
  ]
)

for target in package.targets where target.name != "SimulatedSystem" {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
