import Cellar
import FeedClient
import Foundation
import NIOConcurrencyHelpers

/// A device: a store of its own that follows a relay and sends its edits.
final class TestDevice: Sendable {
  /// Its store, which another device may open when this one was stopped.
  let file: URL
  let repository: Repository
  let list: LiveList
  /// Why it does not follow or send any more.
  var failures: [String] { ended.withLockedValue { $0 } }
  private let ended: NIOLockedValueBox<[String]>
  private let tasks: [Task<Void, Never>]

  /// A device that follows a list; with the store of an earlier one, if that is given.
  init(
    _ address: URL, list id: ListID, token: String? = nil, in folder: URL, file: URL? = nil,
    over transport: any FeedTransport = URLSessionTransport()
  ) throws {
    let file = file ?? folder.appendingPathComponent("device-\(UUID().uuidString).sqlite")
    self.file = file
    repository = try Repository(at: file)
    let list = repository.liveList(id)
    self.list = list
    var client = FeedClient(address, transport: transport) { _ in
      token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    }
    client.wait = .seconds(5)
    client.pollInterval = .milliseconds(200)
    client.firstPause = .milliseconds(20)
    client.longestPause = .milliseconds(500)
    let ended = NIOLockedValueBox<[String]>([])
    self.ended = ended
    func run(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, Never> {
      Task {
        do {
          try await body()
        } catch {
          if !Task.isCancelled { ended.withLockedValue { $0.append("\(error)") } }
        }
      }
    }
    tasks = [
      run { [client] in try await client.follow(list) },
      run { [client] in try await client.sendPendingEdits(of: list) },
    ]
  }

  /// What it shows.
  var tree: ListTree { get throws { try list.provider().tree } }

  /// Inserts an item at the end of a section, which the relay is to take.
  func insert(_ item: String, in section: SectionID = "s") throws {
    let content = try JSON(parsing: #"{"title":"\#(item)"}"#)
    let item = try Item(id: ItemID(item), cell: CellName("C"), content: content)
    try list.editPending(by: "mary") { list in try list.insert(item, in: section) }
  }

  var itemIDs: [String] {
    get throws { try tree.sections.flatMap { $0.items.map(\.id.rawValue) } }
  }

  /// Waits until it shows what a condition wants.
  func waits(_ seconds: Double = 20, for condition: (ListTree) -> Bool) async throws -> Bool {
    for _ in 0..<Int(seconds * 50) {
      if condition(try tree) { return true }
      try await Task.sleep(for: .milliseconds(20))
    }
    return false
  }

  func stop() async {
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
  }
}
