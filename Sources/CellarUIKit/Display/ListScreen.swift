import Foundation
import ListItems
import ListModel
import ListSync
import Providers

/// A list and the view that shows it: what the parts of an adapter share.
@MainActor final class ListScreen {
  /// Another one from the next update on.
  var list: LiveList
  let host: any ListHost
  let views: RegisteredViews
  let handlers: ItemHandlers
  let problems: ProblemReports
  /// What the list has not loaded.
  var gaps: ShownGaps
  /// How many items of a section are side by side, and the space between lines in points, by the view's
  /// index.
  var lineMetrics: (Int) -> (columns: Int, spacing: Double) = { _ in (1, 0) }
  /// What the view displays of the list.
  var display: DisplayedList { didSet { displayCount += 1 } }
  /// How often ``display`` changed: what was worked out of it holds for one count.
  private(set) var displayCount = 0
  /// Whether an update is changing the view: its paths may be those of the list before it.
  var isChanging = false
  /// The headers and footers that an update has to refresh.
  var supplementaries = SupplementaryRefresh()

  /// Reads a list, and registers its views with a host.
  init(
    _ list: LiveList, in host: any ListHost, views: ViewRegistry, handlers: ItemHandlers?
  ) throws(StoreError) {
    display = DisplayedList(try list.provider())
    gaps = ShownGaps(display.provider)
    problems = ProblemReports(of: list)
    self.list = list
    self.host = host
    self.handlers = handlers ?? ItemHandlers(list.types)
    self.views = RegisteredViews(views, in: host, reportingTo: problems)
  }

  /// The list; during an update already as it is after the update.
  var provider: Provider { display.provider }

  // MARK: Items

  /// The item at a path of the view, also during an update; `nil` if there is none.
  func item(at indexPath: IndexPath) -> Item? {
    display.listPath(of: ItemPath(indexPath)).flatMap { provider.item(at: $0) }
  }

  /// The id of the item at a path of the view; `nil` if there is none.
  func itemID(at indexPath: IndexPath) -> ItemID? {
    display.listPath(of: ItemPath(indexPath)).flatMap { provider.itemID(at: $0) }
  }

  /// The view's path of an item; `nil` if the list does not have it, or hides its section.
  func indexPath(of item: ItemID) -> IndexPath? { display.path(of: item)?.indexPath }

  /// The registered cell of the item at a path of the list; `nil` for the fallback.
  func cellName(ofItemAt path: ItemPath, in section: SectionID?) -> CellName? {
    guard let stored = provider.cell(at: path)?.cell else { return nil }
    return views.registry.cellName(
      stored, section: section, type: provider.item(at: path)?.state.type)
  }

  // MARK: Headers, footers and other supplementary views

  /// The identity of a section's supplementary view; `nil` if there is no such section.
  func supplementaryID(
    _ kind: Supplementary.Kind, inSection index: Int
  ) -> SupplementaryID? {
    display.sectionID(at: index).map { SupplementaryID(kind: kind, section: $0) }
  }

  /// The supplementary view that the view has to show in a section; `nil` if there is none.
  func supplementary(_ kind: Supplementary.Kind, inSection index: Int) -> Supplementary? {
    if supplementaries.isPending, let id = supplementaryID(kind, inSection: index),
      supplementaries.isLeftOut(id)
    {
      return nil
    }
    return display.attributes(ofSection: index).flatMap { $0[views.storedKind(kind, in: $0)] }
  }

  /// What the view dequeues for a supplementary view, and the value that it shows.
  ///
  /// Without a value it is the fallback, as for items.
  func supplementaryView(
    for stored: Supplementary, kind: Supplementary.Kind
  ) -> (registration: ViewRegistration, value: (any ListSupplementary)?) {
    let name = list.supplementaryTypes.currentName(of: stored.view)
    let registration = views.registration(for: name, kind: kind)
    guard views.hasView(name, kind: kind) else { return (registration, nil) }
    do throws(SupplementaryTypeError) {
      return (registration, try list.supplementaryTypes.value(of: stored))
    } catch {
      problems.report(error)
      return (views.fallback(kind: kind), nil)
    }
  }

  /// What the view dequeues for a supplementary view; unlike ``supplementaryView(for:kind:)``, it
  /// reports no problem.
  func registration(for stored: Supplementary, kind: Supplementary.Kind) -> ViewRegistration {
    let name = list.supplementaryTypes.currentName(of: stored.view)
    let registration = views.registration(for: name, kind: kind)
    let isDecodable = (try? list.supplementaryTypes.value(of: stored)) != nil
    return isDecodable ? registration : views.fallback(kind: kind)
  }

  /// The value that a supplementary view shows; `nil` for a fallback.
  func shownValue(
    of stored: Supplementary, _ kind: Supplementary.Kind
  ) -> (any ListSupplementary)? {
    guard views.hasView(list.supplementaryTypes.currentName(of: stored.view), kind: kind) else {
      return nil
    }
    return try? list.supplementaryTypes.value(of: stored)
  }
}
