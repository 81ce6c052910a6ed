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
  private var following: Task<Void, Never>?

  /// Reads a list, and follows it from there on.
  ///
  /// `updateInterval`: The shortest time between two contents.
  package init(_ list: LiveList, updateInterval: Duration = LiveList.updateInterval) {
    var list = list
    list.policy.hidesSections = true
    self.list = list
    // The stream comes first, so that no commit falls between reading and it.
    let revisions = list.signals()
    do throws(StoreError) {
      content = ListContent(try list.provider(), of: list)
    } catch {
      content = ListContent(Provider(ListTree(list: list.id)), of: list, error: error)
    }
    following = LiveList.observe(revisions) { [weak self] in
      self?.update()
      return self.map { _ in updateInterval }
    }
  }

  deinit { following?.cancel() }

  private func update() {
    var next = content.provider
    do throws(StoreError) {
      let batch = try list.advance(&next)
      if case .none = batch.mode, batch.from == batch.to, content.error == nil { return }
      content = ListContent(next, of: list)
      onChange?(content, batch)
    } catch {
      content = ListContent(content.provider, of: list, error: error)
      onChange?(content, nil)
    }
  }
}
