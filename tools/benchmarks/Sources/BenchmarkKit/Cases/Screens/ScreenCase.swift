import BatchUpdates
import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// A list on a screen: shown for the first time, and brought on by a commit of one change; beside a
/// diffable data source that is given the whole list.
///
/// Without a screen there is nothing to draw: what is measured is what the app and the view's
/// bookkeeping do.
enum ScreenCase {
  struct Episode: ListItem {
    var id: String, title: String
    static var typeName: TypeName { "Episode" }
    static var cells: [CellName: ViewSource] { ["EpisodeCell": .type(EpisodeCell.self)] }
    var cellName: CellName { "EpisodeCell" }
    func configure(_ cell: EpisodeCell) { cell.title = title }
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: Double(40 + title.utf8.count))
    }
  }

  final class EpisodeCell: UICollectionViewCell { var title: String? }

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    // All that is measured here runs on one thread, which is the main one: nothing is handed to
    // another.
    nonisolated(unsafe) let lists = lists
    try MainActor.assumeIsolated { try runOnMain(settings, lists, &report) }
  }

  @MainActor private static func runOnMain(
    _ settings: Settings, _ lists: StoredLists, _ report: inout Report
  ) throws {
    for size in settings.sizes where size >= 1_000 {
      let file = try lists.copy(of: lists.store(size, .aged))
      defer { lists.remove(file) }
      let repository = try Repository(existing: file)
      let list = repository.liveList(SampleList.list, items: [Episode.self])
      var generator = SeededGenerator(seed: settings.seed)
      let first = try Rounds(
        settings.rounds, warmUp: true,
        [
          { _ in
            var kept: (Repository, CollectionAdapter, UIWindow)?
            let taken = try Stopwatch.once {
              let repository = try Repository(existing: file)
              let (window, view) = screen()
              let adapter = try CollectionAdapter(
                repository.liveList(SampleList.list, items: [Episode.self]), in: view)
              view.layoutIfNeeded()
              kept = (repository, adapter, window)
              return view.visibleCells.count
            }
            // Writes the sizes too. Its watch would take time of the next rounds.
            try kept?.0.close()
            return withExtendedLifetime(kept) { taken }
          }
        ])
      report.add(
        Measurement(name: "screen, first", items: size, changes: 1, ours: first[0]))

      let (window, view) = screen()
      let adapter = try CollectionAdapter(list, in: view)
      view.layoutIfNeeded()
      let (otherWindow, otherView) = screen()
      otherView.register(EpisodeCell.self, forCellWithReuseIdentifier: "episode")
      let source = UICollectionViewDiffableDataSource<SectionID, ItemID>(
        collectionView: otherView
      ) { view, path, _ in view.dequeueReusableCell(withReuseIdentifier: "episode", for: path) }
      let follower = try DiffableFollower(list, source)
      var number = 0
      func commit() throws {
        number += 1
        let item = try Item(
          Episode(id: "new \(number)", title: "Episode"))
        let place = Int.random(in: 0..<size, using: &generator)
        try repository.liveList(SampleList.list).commit(
          [.insertItem(item, in: try SampleList.sectionID(0), at: .index(place))])
      }
      func finish(_ view: UICollectionView) {
        view.headless.finishAnimations()
        view.layoutIfNeeded()
      }
      let isComparable = size <= 10_000
      let rounds = try Rounds(
        settings.rounds, warmUp: true,
        [
          { _ in
            try commit()
            return Stopwatch.once {
              adapter.update()
              finish(view)
              return adapter.provider.revision
            }
          },
          { _ in
            // The stand-in for UIKit's data source searches its arrays: hopeless for long lists.
            guard isComparable else { return 0 }
            return Stopwatch.once {
              follower.update()
              finish(otherView)
              return follower.provider.revision
            }
          },
        ])
      report.add(
        Measurement(
          name: "screen, update", items: size, changes: 1, ours: rounds[0],
          references: isComparable ? [.init(name: "diffable", median: rounds[1])] : []))
      withExtendedLifetime((window, otherWindow)) {}
    }
  }

  @MainActor static func screen(
    _ layout: UICollectionViewLayout = ListCollectionLayout()
  ) -> (UIWindow, UICollectionView) {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
    let view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
    window.addSubview(view)
    return (window, view)
  }
}
