import Foundation
import ListItems
import ListModel
import ListViews
import Providers

// Headers, footers and other supplementary views get what an update changes of them.
extension ViewUpdates {
  /// Gives visible headers, footers and the like the content that they have now, or leaves them out
  /// of the layout if they need another class.
  func refreshSupplementaries(inSections sections: [Int]) {
    for index in sections {
      for kind in screen.supplementaries.kinds {
        guard let view = host.visibleView(of: kind, inSection: index) else { continue }
        if let stored = screen.supplementary(kind, inSection: index), isView(view, of: stored, kind)
        {
          if let value = screen.supplementaryView(for: stored, kind: kind).value {
            views.show(value, in: view)
          }
        } else if let id = screen.supplementaryID(kind, inSection: index),
          screen.supplementaries.keptSize(id) == nil
        {
          screen.supplementaries.leaveOut(id)
        }
      }
    }
  }

  /// Keeps the layout of headers and footers during an update that adds or removes some, or gives
  /// them another class.
  ///
  /// `sections`: Their indexes after the update. `next`: The list after the update.
  func keepSupplementaries(ofSections sections: [Int], until next: DisplayedList) {
    for index in sections {
      guard let id = next.sectionID(at: index),
        let old = screen.display.index(ofSection: id), let after = next.attributes(ofSection: index)
      else { continue }
      for kind in [Supplementary.Kind.header, .footer] {
        let supplementary = SupplementaryID(kind: kind, section: id)
        let now = screen.supplementary(kind, inSection: old)
        let then = after[screen.views.storedKind(kind, in: after)]
        if now == nil, then != nil {
          screen.supplementaries.leaveOut(supplementary)
        } else if let now,
          screen.registration(for: now, kind: kind)
            != then.map({ screen.registration(for: $0, kind: kind) }),
          let size = sizes.size(of: kind, inSection: old)
        {
          screen.supplementaries.keep(size, of: supplementary)
        }
      }
    }
  }

  /// Gives headers and footers the layout that they could not get during the update.
  func correctSupplementaries() {
    if !screen.supplementaries.isPending { return }
    host.view?.layoutIfNeeded()
    screen.supplementaries.leaveOutKept()
    if !host.changesSupplementariesInUpdates {
      // Views of the old class go.
      host.relayout()
      host.view?.layoutIfNeeded()
    }
    let places = screen.supplementaries.bringBack().compactMap { id in
      screen.display.index(ofSection: id.section).map { (kind: id.kind, index: $0) }
    }
    host.relayout(sections: Set(places.map(\.index)).sorted())
    host.view?.layoutIfNeeded()
    // Some layouts keep the old view. Then only a reload replaces it.
    for (kind, index) in places {
      guard let view = host.visibleView(of: kind, inSection: index) else { continue }
      if let stored = screen.supplementary(kind, inSection: index) {
        if isView(view, of: stored, kind) { continue }
      } else if host.isEmpty(view) {
        continue
      }
      return react(to: .viewOutdated)
    }
  }

  /// Whether a view has the class that a supplementary view needs.
  private func isView(_ view: UIView, of stored: Supplementary, _ kind: Supplementary.Kind) -> Bool
  {
    host.reuseIdentifier(of: view)
      == host.identifier(of: screen.registration(for: stored, kind: kind))
  }
}
