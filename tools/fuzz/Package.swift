// swift-tools-version:6.2

import Foundation
import PackageDescription

// SwiftPM names a package by its folder. What is `package` there is tested here, too.
let nameOfCellar = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .appendingPathComponent("../..").standardizedFileURL.lastPathComponent.lowercased()
  .replacing(/[^a-z0-9_]/, with: "_")

// A package of its own, so that nothing it needs is needed by an app. `run` builds it: all modules
// have to be built so that libFuzzer sees which of their branches an input takes.
let package = Package(
  name: "CellarFuzz",
  platforms: [.macOS(.v14)],
  products: [
    .executable(name: "cellar-fuzz", targets: ["FuzzCommand"])
  ],
  dependencies: [
    .package(name: "Cellar", path: "../..")
  ],
  targets: [
    // C: the entry of libFuzzer, which the compiler brings with it.
    .target(name: "LibFuzzer"),
    .executableTarget(
      name: "FuzzCommand",
      dependencies: [
        "LibFuzzer",
        .product(name: "Cellar", package: "Cellar"),
        .product(name: "CellarParts", package: "Cellar"),
        .product(name: "FeedClient", package: "Cellar"),
        .product(name: "FeedServing", package: "Cellar"),
        .product(name: "ListInspection", package: "Cellar"),
      ],
      packageAccess: false,
      swiftSettings: [
        .unsafeFlags(["-package-name", nameOfCellar]),
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
      ]),
  ]
)
