import Cellar
import CellarUIKit
import FeedClient
import Foundation
import SimulatedSystem

/// The app of a device, as one process: it follows the server's list, sends edits, and shows the list.
@MainActor final class AppProcess {
  let number: Int
  let repository: Repository
  /// The server's list.
  let shelf: LiveList
  /// A list of the device's own.
  let notes: LiveList
  /// A list that is a function of the server's.
  let liked: DerivedList
  /// What a search field finds in it.
  private(set) var found: DerivedList?
  private let device: Device
  private(set) var screen: AppScreen
  /// The list that the screen shows.
  private(set) var shown = Shown.shelf
  /// A list that loads pages, once the user has wanted to see it.
  private(set) var mail: LiveList?
  /// How many refreshes are under way.
  private(set) var refreshCount = 0
  /// How many changes of the disk there had been when its lists were checked.
  var changesChecked: Int64 = -1
  private var tasks: [Task<Void, Never>] = []
  /// Errors that ended the following or the sending of the list.
  private(set) var failures: [any Error] = []
  /// How many errors of the store were taken.
  private var storeFailureCount = 0
  var isSuspended = false
  /// Whether it ever was: what it has on display may be read no more, if somebody has edited it meanwhile.
  private(set) var wasSuspended = false

  enum Shown { case shelf, liked, found, mail }

  /// Starts the app, in its process.
  init(_ number: Int, on device: Device) throws {
    self.number = number
    self.device = device
    var options = Repository.Options()
    options.durability = device.setting.isFull ? .full : .normal
    repository = try Repository(at: device.store, options: options)
    var shelf = repository.liveList("shelf", items: [Book.self])
    shelf.sendsEdits = true
    self.shelf = shelf
    notes = repository.liveList("notes", items: [Book.self])
    liked = try shelf.derived("liked", of: Book.self) {
      $0.where { $0.likes > 2 }.sorted(by: \.likes, .reverse)
    }
    screen = try AppScreen(device.setting.screen, showing: shelf)
    guard let address = URL(string: device.server.address) else { return }
    let client = FeedClient(address, transport: NetworkTransport(device: device, process: number))
    tasks = [
      Task { [weak self] in
        while !Task.isCancelled {
          do { try await client.follow(shelf) { log("follow \($0)") } } catch {
            self?.failures.append(error)
          }
          try? await Task.sleep(for: .seconds(1))
        }
      },
      Task { [weak self] in
        while !Task.isCancelled {
          do { try await client.sendPendingEdits(of: shelf) { log("send \($0)") } } catch {
            self?.failures.append(error)
          }
          try? await Task.sleep(for: .seconds(1))
        }
      },
    ]
  }

  /// Takes the errors since the last call: those that ended a task, and those that the store kept to
  /// itself.
  func takeFailures() -> [any Error] {
    let count = repository.diagnostics["failure"] ?? 0
    defer { (failures, storeFailureCount) = ([], count) }
    return failures + repository.failures.suffix(count - storeFailureCount)
  }

  /// Makes the screen anew, as an app does that was told to free memory.
  func replaceScreen(_ kind: Schedule.ScreenKind) throws {
    screen = try AppScreen(kind, showing: shelf)
    shown = .shelf
  }

  /// Shows a list; one that is not there yet is not shown.
  func show(_ next: Shown) {
    if next == shown || next == .found && found == nil { return }
    screen.forgetEye()
    switch next {
    case .shelf: screen.adapter.show(shelf)
    case .liked: screen.adapter.show(liked)
    case .found: if let found { screen.adapter.show(found) }
    case .mail: screen.adapter.show(knownMail)
    }
    shown = next
  }

  /// The list with pages; made when it is wanted first.
  private var knownMail: LiveList {
    if let mail { return mail }
    let loader = MailLoader(device: device)
    let limit = device.mail.limit.map { Page.Limit.items($0) }
    let list = repository.liveList(
      "mail", items: [Book.self], pages: loader, paging: LiveList.Paging(limit: limit))
    mail = list
    tasks.append(
      Task { [weak self] in
        while !Task.isCancelled {
          do { try await list.sendPendingEdits { try await loader.send($0) } } catch {
            self?.failures.append(error)
          }
          try? await Task.sleep(for: .seconds(1))
        }
      })
    return list
  }

  /// The user pulls to refresh, or follows a link to a mail.
  ///
  /// `link`: `nil` to refresh.
  func load(link: String? = nil) {
    let mail = knownMail
    refreshCount += 1
    tasks.append(
      Task { [weak self] in
        // What fails the user sees; at rest it is tried until it succeeds.
        if let link {
          try? await mail.loadPage(around: ItemID(link))
        } else {
          try? await refresh(mail)
        }
        self?.refreshCount -= 1
      })
  }

  /// The user looks for something.
  func search(_ word: SearchWord) throws {
    found = try shelf.derived("found", of: Book.self) {
      $0.where { $0.matches(word.rawValue, in: $0.title) }
    }
  }

  /// The app hears that it is about to be stopped.
  func suspend() {
    try? screen.adapter.saveViewState()
    repository.suspend()
    isSuspended = true
    wasSuspended = true
  }

  /// Nothing of the process runs any more.
  func freeze() { simulation_suspend(Int32(number), true) }

  func resume() {
    if !isSuspended { return }
    simulation_suspend(Int32(number), false)
    isSuspended = false
    repository.resume()
  }

  /// Ends what it does, before the last reference to it goes.
  func end() { for task in tasks { task.cancel() } }
}

private func refresh(_ mail: LiveList) async throws {
  while true {
    do {
      try await mail.refresh()
      return
    } catch {
      try await Task.sleep(for: .seconds(5))
    }
  }
}

extension ModelList {
  /// What a store says that a list is.
  init(_ tree: ListTree) {
    sections = tree.sections.map { section in
      Section(
        id: section.id.rawValue,
        items: section.items.map { item in
          let content = jsonMembers(Data(item.state.content.text.utf8)) ?? [:]
          return Item(
            id: item.id.rawValue, title: content["title"] as? String ?? "?",
            likes: content["likes"] as? Int ?? -1,
            isWide: item.state.cell.rawValue == "WideCell")
        })
    }
  }
}

extension ListEditor {
  /// Makes a change of the model.
  func make(_ operation: ModelList.Operation) throws {
    switch operation {
    case .insertSection(let id, let place):
      try insertSection(SectionID(id), at: place.of { try SectionID($0) })
    case .deleteSection(let id): try deleteSection(SectionID(id))
    case .moveSection(let id, let place):
      try moveSection(SectionID(id), to: place.of { try SectionID($0) })
    case .insertItem(let item, let section, let place):
      try insert(
        Book(id: item.id, title: item.title, likes: item.likes, isWide: item.isWide),
        in: SectionID(section), at: place.of { try ItemID($0) })
    case .deleteItem(let id): try delete(ItemID(id))
    case .moveItem(let id, let section, let place):
      try move(
        ItemID(id), in: section.map { try SectionID($0) }, to: place.of { try ItemID($0) })
    case .updateItem(let id, let title, let likes, let isWide):
      try update(ItemID(id), as: Book.self) { book in
        if let title { book.title = title }
        if let likes { book.likes = likes }
        if let isWide { book.isWide = isWide }
      }
    case .touchItem(let id): try touch(ItemID(id))
    }
  }
}

extension ModelList.Place {
  func of<ID: Hashable & Sendable>(_ id: (String) throws -> ID) throws -> Place<ID> {
    switch self {
    case .start: .start
    case .end: .end
    case .after(let text): .after(try id(text))
    case .before(let text): .before(try id(text))
    case .index(let index): .index(index)
    }
  }
}

/// Says what happens, if `SIMULATION_LOG` is set.
func log(_ text: @autoclosure () -> String) {
  guard getenv("SIMULATION_LOG") != nil else { return }
  FileHandle.standardError.write(Data((text() + "\n").utf8))
}
