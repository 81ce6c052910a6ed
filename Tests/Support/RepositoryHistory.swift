package import Foundation

/// A feed like the history of a repository's files: folders are sections, files are items.
///
/// Most commits change a file or a few. Some change many, make or delete files, move them to other
/// folders, or give a folder another name, which takes its files along.
package struct RepositoryHistory {
  /// The history, 1,500 commits; the same whenever it is made.
  private static let lines: [String] = {
    var history = RepositoryHistory()
    return (1...1_500).map { history.commit($0) }
  }()

  /// Writes the history into a folder of a test.
  ///
  /// - Returns: The file, a feed of the list `files`.
  package static func write(to folder: TemporaryFolder) throws -> URL {
    try folder.write(lines.map { $0 + "\n" }.joined(), to: "repository-history.ndjson")
  }

  private var generator = SeededGenerator(seed: 30)
  private var folders: [(name: String, files: [String])] = []
  private var fileCount = 0
  private var folderCount = 0
  /// Milliseconds since 1970.
  private var time = 1_435_662_990_000
  private var operations: [String] = []

  /// The line of the next commit.
  private mutating func commit(_ number: Int) -> String {
    operations = []
    time += generator.number(1_000..<20_000_000)
    switch folders.isEmpty ? -1 : generator.number(0..<100) {
    case ..<0: for _ in 0..<10 { addFolder(withFiles: generator.number(3..<9)) }
    case ..<58: changeFiles(1)
    case ..<76: changeFiles(generator.number(2..<7))
    case ..<79: changeFiles(generator.number(20..<60))
    case ..<86: for _ in 0..<generator.number(1..<4) { addFile(toFolder: nil) }
    case ..<91: for _ in 0..<generator.number(1..<7) { moveFile() }
    case ..<94: deleteFile()
    case ..<97: addFolder(withFiles: generator.number(1..<6))
    default: renameFolder()
    }
    return
      #"{"t":"commit","seq":"\#(number)","list":"files","at":\#(time),"by":"git","ops":["#
      + operations.joined(separator: ",") + "]}"
  }

  // MARK: What commits do

  private mutating func addFolder(withFiles count: Int) {
    let index = generator.number(0..<folders.count + 1)
    insertFolder(at: index)
    for _ in 0..<count { addFile(toFolder: index) }
  }

  private mutating func insertFolder(at index: Int) {
    folderCount += 1
    let name = "folder \(folderCount)"
    let before = index == 0 ? "null" : "\"\(folders[index - 1].name)\""
    folders.insert((name, []), at: index)
    operations.append(
      #"{"op":"insertSection","section":"\#(name)","after":\#(before),"#
        + #""layout":{"columns":1,"lineSpacing":8,"interitemSpacing":8,"insets":[12,12,12,12]},"#
        + #""header":{"view":"FolderHeader","content":{"title":"\#(name)"}}}"#)
  }

  private mutating func addFile(toFolder folder: Int?) {
    let folder = folder ?? generator.number(0..<folders.count)
    fileCount += 1
    let name = "file \(fileCount)"
    let after = insert(name, into: folder)
    let cell = generator.percent(80) ? "SwiftCell" : "FileCell"
    operations.append(
      #"{"op":"insertItem","item":"\#(name)","section":"\#(folders[folder].name)","#
        + #""after":\#(after),"cell":"\#(cell)","content":\#(content(of: name))}"#)
  }

  /// Puts a file into a folder, in any place.
  ///
  /// - Returns: The file before it, as JSON.
  private mutating func insert(_ file: String, into folder: Int) -> String {
    let index = generator.number(0..<folders[folder].files.count + 1)
    folders[folder].files.insert(file, at: index)
    return index == 0 ? "null" : "\"\(folders[folder].files[index - 1])\""
  }

  private mutating func content(of file: String) -> String {
    let revision = String(generator.next() >> 24, radix: 16)
    return #"{"name":"\#(file)","rev":"\#(revision)","at":\#(time)}"#
  }

  private mutating func changeFiles(_ count: Int) {
    for file in folders.flatMap(\.files).shuffled(using: &generator).prefix(count) {
      operations.append(#"{"op":"updateItem","item":"\#(file)","content":\#(content(of: file))}"#)
    }
  }

  /// Takes any file out of its folder; `nil` if there is none.
  private mutating func takeFile() -> String? {
    let full = folders.indices.filter { !folders[$0].files.isEmpty }
    guard let folder = generator.element(of: full) else { return nil }
    return folders[folder].files.remove(at: generator.number(0..<folders[folder].files.count))
  }

  private mutating func moveFile() {
    guard let file = takeFile() else { return }
    move(file, to: generator.number(0..<folders.count))
  }

  private mutating func move(_ file: String, to folder: Int) {
    let after = insert(file, into: folder)
    operations.append(
      #"{"op":"moveItem","item":"\#(file)","section":"\#(folders[folder].name)","#
        + #""after":\#(after)}"#)
  }

  private mutating func deleteFile() {
    guard let file = takeFile() else { return }
    operations.append(#"{"op":"deleteItem","item":"\#(file)"}"#)
  }

  private mutating func renameFolder() {
    let old = generator.number(0..<folders.count)
    let new = old + 1
    insertFolder(at: new)
    let files = folders[old].files
    folders[old].files = []
    for file in files { move(file, to: new) }
    operations.append(#"{"op":"deleteSection","section":"\#(folders[old].name)"}"#)
    folders.remove(at: old)
  }
}
