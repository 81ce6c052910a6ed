import BatchUpdates
import Foundation
import ListItems
import ListModel
import ListSync
import Providers
import ListViews

// What cells and supplementary views show.
extension ListAdapter {
  /// What the view dequeues for an item, and the value that the cell shows.
  ///
  /// Without a value the cell is the fallback: the item can't be read, which is `nil`, or can't be
  /// decoded, or the app has no cell for it. A cell of the app could still show another item.
  ///
  /// `section`: The item's section.
  func cell(
    for item: Item?, in section: SectionID?
  ) -> (registration: ViewRegistration, value: (any ListItem)?) {
    guard let item else {
      if !state.pending.contains(.reload) { problems.report(UnreadableItems(list: list.id)) }
      react(to: .itemUnreadable)
      return (views.registration(for: nil), nil)
    }
    let registration = views.registration(for: item, in: section)
    guard views.hasCell(of: item, in: section) else { return (registration, nil) }
    do throws(ItemTypeError) {
      let value = try list.types.value(of: item)
      undecodableItems.remove(item.id)
      return (registration, value)
    } catch {
      undecodableItems.insert(item.id)
      problems.report(error)
      return (views.registration(for: nil), nil)
    }
  }

  /// Replaces each reconfigure of an item that needs another cell by a reload: one that can't be
  /// decoded any more gets the fallback, and one that can be decoded again its own cell.
  func reloadingUndecodableItems(of stage: Stage) -> Stage {
    let reloads = stage.reconfigureItems.filter { path in
      guard let item = item(at: path.indexPath),
        views.hasCell(of: item, in: display.sectionID(at: path.section))
      else { return false }
      return undecodableItems.contains(item.id) || (try? list.types.value(of: item)) == nil
    }
    if reloads.isEmpty { return stage }
    var stage = stage
    stage.reconfigureItems.removeAll { reloads.contains($0) }
    stage.reloadItems = (stage.reloadItems + reloads).sorted()
    return stage
  }

  /// What the view dequeues for a header, a footer or another supplementary view, and the value
  /// that it shows; without a value it is the fallback, as for items.
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

  /// What the view dequeues for a header, a footer or another supplementary view; unlike
  /// ``supplementaryView(for:kind:)``, it reports no problem.
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

  /// The supplementary view that the view has to show in a section; `nil` if there is none.
  func supplementary(_ kind: Supplementary.Kind, inSection index: Int) -> Supplementary? {
    if supplementaries.isPending, let place = place(of: kind, inSection: index),
      supplementaries.isLeftOut(place)
    {
      return nil
    }
    return display.attributes(ofSection: index).flatMap { $0[views.storedKind(kind, in: $0)] }
  }
}
