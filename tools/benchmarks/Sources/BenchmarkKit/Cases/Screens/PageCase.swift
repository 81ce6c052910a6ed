import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import Pages
import Providers

/// A list that loads pages, on a screen: a page of 50 items comes into a gap in its midst, which is in sight;
/// and the list at the next launch, without a connection.
enum PageCase {
  static let pageSize = 50
  /// As pages name those that they make.
  private static let gap: ItemID = "#gap 1"

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    // All that is measured here runs on one thread, which is the main one.
    nonisolated(unsafe) let lists = lists
    try MainActor.assumeIsolated { try runOnMain(settings, lists, &report) }
  }

  @MainActor private static func runOnMain(
    _ settings: Settings, _ lists: StoredLists, _ report: inout Report
  ) throws {
    for size in settings.sizes where size >= 1_000 {
      let file = try lists.copy(of: lists.store(size, .aged))
      defer { lists.remove(file) }
      try addPages(to: Repository(existing: file), gapAt: size / 2)
      let launch = try launch(of: file, settings)
      report.add(
        Measurement(
          name: "page, launch offline", items: size, changes: 1, ours: launch.shown,
          references: [.init(name: "open", median: launch.opened)],
          targets: [.beyond(3e6)]))
      report.add(
        Measurement(
          name: "page, main thread", items: size, changes: pageSize,
          ours: try update(of: file, size, settings), targets: [.within(2e6)]))
    }
  }

  /// Adds the gap, and as the first items those that a loader has stored: they have their ids in them, which
  /// the list's others lack.
  private static func addPages(to repository: Repository, gapAt index: Int) throws {
    let list = repository.liveList(SampleList.list)
    try list.commit([
      .insertItem(
        Item(id: gap, cell: Gap.cell, content: Gap(after: "a", before: "b").content),
        in: SampleList.sectionID(0), at: .index(index))
    ])
    try list.commit(
      (0..<pageSize).map { number in
        let episode = ScreenCase.Episode(id: "newest \(number)", title: "Episode \(number)")
        return try .insertItem(Item(episode), in: SampleList.sectionID(0), at: .index(number))
      })
  }

  @MainActor private static func launch(
    of file: URL, _ settings: Settings
  ) throws -> (shown: Double, opened: Double) {
    let rounds = try Rounds(
      settings.rounds, warmUp: true,
      [
        { _ in
          var kept: (Repository, CollectionAdapter, UIWindow)?
          let taken = try Stopwatch.once {
            let repository = try Repository(existing: file)
            let list = repository.liveList(
              SampleList.list, items: [ScreenCase.Episode.self], pages: Server())
            list.isOffline = true
            let (window, view) = ScreenCase.screen()
            let adapter = try CollectionAdapter(list, in: view)
            view.layoutIfNeeded()
            kept = (repository, adapter, window)
            return view.visibleCells.count
          }
          // Writes the sizes too. Its watch would take time of the next rounds.
          try kept?.0.close()
          return withExtendedLifetime(kept) { taken }
        },
        { _ in
          var kept: Repository?
          let taken = try Stopwatch.once {
            kept = try Repository(existing: file)
            return 1
          }
          return withExtendedLifetime(kept) { taken }
        },
      ])
    return (rounds[0], rounds[1])
  }

  @MainActor private static func update(
    of file: URL, _ size: Int, _ settings: Settings
  ) throws -> Double {
    let repository = try Repository(existing: file)
    let server = Server()
    let list = repository.liveList(
      SampleList.list, items: [ScreenCase.Episode.self], pages: server)
    let (window, view) = ScreenCase.screen()
    let adapter = try CollectionAdapter(list, in: view)
    view.layoutIfNeeded()
    adapter.scroll(to: gap)
    view.layoutIfNeeded()
    let rounds = try Rounds(
      settings.rounds, warmUp: true,
      [
        { _ in
          try wait {
            await server.allowPage()
            try await list.loadPage(of: gap)
          }
          return Stopwatch.once {
            adapter.update()
            view.headless.finishAnimations()
            view.layoutIfNeeded()
            return adapter.provider.numberOfItems
          }
        }
      ])
    withExtendedLifetime(window) {}
    return rounds[0]
  }

  /// Waits on this thread, which does nothing else meanwhile.
  private static func wait(_ work: @escaping @Sendable () async throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var failure: (any Error)?
    Task.detached {
      do { try await work() } catch { failure = error }
      done.signal()
    }
    done.wait()
    if let failure { throw failure }
  }

  /// Has always more, below the gap's upper edge; a page comes when it is allowed to.
  private actor Server: PageLoader {
    private var number = 0
    private var allowed = 0

    func allowPage() { allowed += 1 }

    func page(_ request: PageRequest) async throws -> Page {
      while request.part != .after || allowed == 0 { try await Task.sleep(for: .milliseconds(1)) }
      allowed -= 1
      let first = number
      number += pageSize
      return try Page(
        (first..<number).map { ScreenCase.Episode(id: "page \($0)", title: "Episode \($0)") },
        after: "\(number)")
    }
  }
}
