package import BatchUpdates
import ListModel
import ListStore
package import ListSync
import Providers

/// Keeps a ``ListContent`` at a list's newest revision: what `ListQuery` publishes.
@MainActor package final class ListFollower {
  /// The list.
  package let list: LiveList
  /// The revision that is shown.
  package private(set) var content: ListContent
  /// Called with each other content, and with the batch update that leads to it; `nil` if the store
  /// could not be read.
  package var onChange: ((ListContent, BatchUpdate?) -> Void)?
  /// Called when a page begins to load, has come or has failed.
  package var onPages: ((ListContent) -> Void)?
  private var following: Task<Void, Never>?
  private var followingPages: Task<Void, Never>?
  private let pages: RowPages?

  /// Reads a list, and follows it from there on.
  ///
  /// `updateInterval`: The shortest time between two contents.
  package init(_ list: LiveList, updateInterval: Duration = LiveList.updateInterval) {
    var list = list
    list.policy.hidesSections = true
    self.list = list
    pages = list.pages == nil ? nil : RowPages(list)
    // The stream comes first, so that no commit falls between reading and it.
    let revisions = list.signals()
    do throws(StoreError) {
      content = ListContent(try list.provider(), of: list, pages: pages)
    } catch {
      content = ListContent(
        Provider(ListTree(list: list.id)), of: list, pages: pages, error: error)
    }
    following = LiveList.observe(revisions) { [weak self] in
      self?.update()
      return self.map { _ in updateInterval }
    }
    followPages()
  }

  deinit {
    following?.cancel()
    followingPages?.cancel()
  }

  /// Shows what becomes of pages.
  private func followPages() {
    guard let pages else { return }
    pages.check(content)
    let states = list.pageStates()
    followingPages = Task { [weak self] in
      for await _ in states { self?.pagesChanged() }
    }
  }

  private func pagesChanged() {
    pages?.check(content)
    onPages?(content)
  }

  private func update() {
    var next = content.provider
    do throws(StoreError) {
      let batch = try list.advance(&next)
      if case .none = batch.mode, batch.from == batch.to, content.error == nil { return }
      content = ListContent(next, of: list, pages: pages)
      onChange?(content, batch)
    } catch {
      content = ListContent(content.provider, of: list, pages: pages, error: error)
      onChange?(content, nil)
    }
    pages?.check(content)
  }
}
