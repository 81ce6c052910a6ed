import Foundation
import TestSupport
import Testing

/// The privacy manifest declares the APIs that the libraries call, no fewer and no more.
///
/// What they call is what their object files import, as `nm` lists it.
@Suite struct PrivacyManifestTests {
  /// A category of the APIs for which Apple requires a reason.
  private struct Category {
    var name: String
    /// The reasons that Apple knows for it.
    var reasons: Set<String>
    /// Functions of C.
    var functions: Set<String>
    /// Parts of the names of Foundation's and UIKit's symbols, as Swift mangles them and as
    /// Objective-C has them.
    var symbols: [String]
  }

  private static let attributeLists = [
    "getattrlist", "fgetattrlist", "getattrlistat", "getattrlistbulk",
  ]

  private static let categories = [
    Category(
      name: "NSPrivacyAccessedAPICategoryFileTimestamp",
      reasons: ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"],
      functions: Set(["stat", "fstat", "lstat", "fstatat"] + attributeLists),
      symbols: ["reationDate", "odificationDate"]),
    Category(
      name: "NSPrivacyAccessedAPICategoryDiskSpace",
      reasons: ["85F4.1", "E174.1", "7D9E.1", "B728.1"],
      functions: Set(["statfs", "fstatfs", "statvfs", "fstatvfs"] + attributeLists),
      symbols: [
        "systemSize", "systemFreeSize", "FileSystemSize", "FileSystemFreeSize",
        "olumeAvailableCapacity", "olumeTotalCapacity",
      ]),
    Category(
      name: "NSPrivacyAccessedAPICategorySystemBootTime", reasons: ["35F9.1", "8FFB.1", "3D61.1"],
      functions: ["mach_absolute_time"], symbols: ["systemUptime"]),
    Category(
      name: "NSPrivacyAccessedAPICategoryUserDefaults",
      reasons: ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"], functions: [], symbols: ["UserDefaults"]),
    Category(
      name: "NSPrivacyAccessedAPICategoryActiveKeyboards", reasons: ["3EC4.1", "54BD.1"],
      functions: [], symbols: ["activeInputModes"]),
  ]

  /// The categories of an imported symbol.
  ///
  /// A function is `_stat` on Apple's systems, `_stat$INODE64` on older Macs, and `stat64` where
  /// files are large.
  private static func categories(of symbol: String) -> Set<String> {
    var function = String(symbol.prefix { $0 != "$" })
    if function.hasPrefix("_") { function.removeFirst() }
    if function.hasSuffix("64") { function.removeLast(2) }
    return Set(
      categories.filter { category in
        category.functions.contains(function) || category.symbols.contains { symbol.contains($0) }
      }.map(\.name))
  }

  @Test(arguments: [
    ("stat", "FileTimestamp"), ("_fstat", "FileTimestamp"), ("_lstat$INODE64", "FileTimestamp"),
    ("stat64", "FileTimestamp"), ("_NSFileModificationDate", "FileTimestamp"),
    ("_NSURLContentModificationDateKey", "FileTimestamp"),
    ("$s20FoundationEssentials16FileAttributeKeyV16modificationDateACvau", "FileTimestamp"),
    ("_statvfs", "DiskSpace"), ("fstatfs64", "DiskSpace"), ("_NSFileSystemFreeSize", "DiskSpace"),
    ("_NSURLVolumeAvailableCapacityForImportantUsageKey", "DiskSpace"),
    ("$s20FoundationEssentials16FileAttributeKeyV10systemSizeACvau", "DiskSpace"),
    ("_mach_absolute_time", "SystemBootTime"), ("_OBJC_CLASS_$_NSUserDefaults", "UserDefaults"),
    ("start", ""), ("_status", ""), ("$s10Foundation4DateV", ""), ("clock_gettime", ""),
  ])
  func aSymbolIsOfItsCategory(_ symbol: String, _ category: String) {
    let expected: Set<String> = category == "" ? [] : ["NSPrivacyAccessedAPICategory" + category]
    #expect(Self.categories(of: symbol) == expected)
  }

  // MARK: Manifest

  private struct Manifest: Decodable {
    var NSPrivacyTracking: Bool
    var NSPrivacyTrackingDomains: [String]
    var NSPrivacyCollectedDataTypes: [[String: String]]
    var NSPrivacyAccessedAPITypes: [AccessedAPI]
  }

  private struct AccessedAPI: Decodable {
    var NSPrivacyAccessedAPIType: String
    var NSPrivacyAccessedAPITypeReasons: [String]
  }

  /// The one manifest, in the lowest module that touches files.
  private func manifest() throws -> Manifest {
    let sources = PackageFiles.root.appendingPathComponent("Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".xcprivacy") }
    let file = try #require(files.first)
    #expect(files.count == 1 && file.hasSuffix("/PrivacyInfo.xcprivacy"))
    return try PropertyListDecoder().decode(
      Manifest.self, from: Data(contentsOf: sources.appendingPathComponent(file)))
  }

  @Test func theReasonsAreThoseOfTheirCategories() throws {
    let manifest = try manifest()
    #expect(!manifest.NSPrivacyTracking)
    #expect(manifest.NSPrivacyTrackingDomains == [])
    #expect(manifest.NSPrivacyCollectedDataTypes == [])
    for declared in manifest.NSPrivacyAccessedAPITypes {
      let category = try #require(
        Self.categories.first { $0.name == declared.NSPrivacyAccessedAPIType })
      let reasons = declared.NSPrivacyAccessedAPITypeReasons
      #expect(!reasons.isEmpty && category.reasons.isSuperset(of: reasons))
    }
  }

  @Test(
    .enabled(if: SymbolTable.nm != nil, "needs nm"),
    .enabled(if: SymbolTable.hasObjects, "needs the object files of `swift build`"))
  func itDeclaresWhatTheObjectsImport() throws {
    var symbols: [String: [String]] = [:]
    for module in try SymbolTable.modules() {
      for symbol in try SymbolTable.imports(of: module) {
        for category in Self.categories(of: symbol) {
          symbols[category, default: []].append("\(module): \(symbol)")
        }
      }
    }
    let declared = try manifest().NSPrivacyAccessedAPITypes.map(\.NSPrivacyAccessedAPIType)
    #expect(Set(declared).count == declared.count)
    #expect(Set(declared) == Set(symbols.keys), "\(symbols)")
  }
}

/// What the object files of the libraries import.
private enum SymbolTable {
  static let nm = ["/usr/bin/nm", "/usr/bin/llvm-nm", "/usr/local/bin/nm"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// The folder with the products, and a folder of objects for each module.
  private static let folder = BuiltProducts.program("cellar").deletingLastPathComponent()

  static let hasObjects = FileManager.default.fileExists(
    atPath: folder.appendingPathComponent("StoreFiles.build").path)

  /// The modules that an app links.
  static func modules() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: PackageFiles.root.appendingPathComponent("Sources").path
    ).filter { $0 != "HeadlessUIKit" && !$0.hasPrefix(".") }.sorted()
  }

  /// The undefined symbols of a module's objects.
  ///
  /// An object whose source is gone may lie there still; it does not count.
  static func imports(of module: String) throws -> Set<String> {
    let sources = PackageFiles.root.appendingPathComponent("Sources/\(module)")
    let objects = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }
      .map { path in
        // Those of Swift lie side by side, those of C as their sources do.
        let name = path.hasSuffix(".c") ? path : URL(fileURLWithPath: path).lastPathComponent
        return folder.appendingPathComponent("\(module).build/\(name).o").path
      }
    let (missing, present) = (
      objects.filter { !FileManager.default.fileExists(atPath: $0) },
      objects.filter { FileManager.default.fileExists(atPath: $0) }
    )
    #expect(missing == [])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(nm))
    process.arguments = ["-u"] + present
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // The last word of a line, whichever nm it is; lines with a colon name files.
    return Set(
      text.split(separator: "\n").filter { !$0.hasSuffix(":") }
        .compactMap { $0.split(separator: " ").last.map(String.init) })
  }
}
