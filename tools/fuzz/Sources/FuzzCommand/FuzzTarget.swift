/// What reads bytes that may come from anywhere.
enum FuzzTarget: String, CaseIterable {
  /// JSON: read, written, read again.
  case json
  /// Trees of lists, and the batch update between two of them.
  case trees
  /// Batch updates that somebody asks about.
  case batches
  /// Lines of a feed, in memory.
  case lines
  /// Edits that a client sends to a server of feeds.
  case edits
  /// A feed that is applied to a store.
  case feed
  /// Edits that other processes have left in a folder.
  case folder
  /// Heads and bodies of HTTP answers.
  case http
  /// Tokens, ids, positions, names of times.
  case tokens
  /// Definitions of derived lists, and items that they read.
  case definitions
  /// Files of migrations, and SQL of a schema.
  case scripts
  /// A database, its write-ahead log and its journal, read without SQLite.
  case files
  /// Values in the rows of a store: its log, the order of its lists, sizes.
  case log
  /// The same, by the calls of an app.
  case rows
  /// Bytes in the pages of a store and of its log: inspected, opened, recovered.
  case stores

  /// Runs the target with an input; ends the process if something is wrong.
  func run(_ bytes: [UInt8]) {
    switch self {
    case .json: fuzzJSON(bytes)
    case .trees: fuzzTrees(bytes)
    case .batches: fuzzBatches(bytes)
    case .lines: fuzzLines(bytes)
    case .edits: fuzzEdits(bytes)
    case .feed: fuzzFeed(bytes)
    case .folder: fuzzFolder(bytes)
    case .http: fuzzHTTP(bytes)
    case .tokens: fuzzTokens(bytes)
    case .definitions: fuzzDefinitions(bytes)
    case .scripts: fuzzScripts(bytes)
    case .files: fuzzFiles(bytes)
    case .log: fuzzLog(bytes)
    case .rows: fuzzRows(bytes)
    case .stores: fuzzStores(bytes)
    }
  }
}

/// The target of this process.
enum Chosen {
  // Set once, before libFuzzer calls the first time.
  nonisolated(unsafe) static var target = FuzzTarget.json
}
