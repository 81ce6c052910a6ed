// swift-tools-version:6.2

import PackageDescription

// A package of its own, so that nothing it needs is needed by an app.
let package = Package(
  name: "FeedServer",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: [
    .executableTarget(
      name: "FeedServer",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Crypto", package: "swift-crypto"),
      ])
  ]
)
