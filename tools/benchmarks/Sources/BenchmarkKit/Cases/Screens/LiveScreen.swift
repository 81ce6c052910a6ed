import BatchUpdates
import CellarUIKit
import HeadlessUIKit
import ListItems
import ListStore
import ListSync
import Providers

/// A screen that notes when it has shown which revision.
@MainActor final class LiveScreen {
  /// In the order of time.
  private(set) var shown: [(revision: Int, time: Double)] = []
  private let window: UIWindow
  private let view: UICollectionView
  private let adapter: CollectionAdapter

  var revision: Int { adapter.provider.revision }

  /// `interval`: The least time between two updates.
  init(_ repository: Repository, every interval: Duration = LiveList.updateInterval) throws {
    let layout = TimedLayout()
    (window, view) = ScreenCase.screen(layout)
    adapter = try CollectionAdapter(
      repository.liveList(SampleList.list, items: [ScreenCase.Episode.self]), in: view)
    adapter.updateInterval = interval
    view.layoutIfNeeded()
    layout.onUpdate = { [weak self] in self?.endUpdate() }
    // Reloads are no updates of the layout.
    adapter.onUpdate = { [weak self] batch in
      if case .reload = batch.mode { self?.note() }
    }
  }

  private func note() {
    // The last stage of an update counts.
    if shown.last?.revision == revision { shown.removeLast() }
    shown.append((revision, Stopwatch.now(.wall)))
  }

  /// Ends the animations at once: they are not measured.
  private func endUpdate() {
    note()
    Task { [view] in
      view.headless.finishAnimations()
      view.layoutIfNeeded()
    }
  }
}

/// A layout that tells when the view has performed a batch update.
private final class TimedLayout: ListCollectionLayout {
  var onUpdate: (() -> Void)?

  override func finalizeCollectionViewUpdates() {
    super.finalizeCollectionViewUpdates()
    onUpdate?()
  }
}
