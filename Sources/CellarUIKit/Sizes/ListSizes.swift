import Foundation
import ListItems
import ListLayout
import ListModel
import ListSync
import ListViews
import Providers

/// The sizes of items, headers and footers.
///
/// They come from the store. What it does not have is measured, and stored.
@MainActor final class ListSizes {
  /// The layout of sections for which the store has none; `nil`: that of the view's layout.
  var defaultMetrics: SectionMetrics?
  /// The assumed length of an item, in points, while none of its section was measured.
  var estimatedLength = 44.0
  /// The size that the app has for an item whose cell can't be measured: its delegate's, or its
  /// layout's; `nil` for none.
  var sizeOfApp: (IndexPath) -> CGSize? = { _ in nil }
  let measurer: SizeMeasurer
  let screen: ListScreen
  /// The mean lengths of sections, and the count of ``ListScreen/displayCount`` that they hold for.
  private var estimates: (lengths: [EstimateKey: Double], count: Int) = ([:], 0)

  /// A section of the view, and the sizes that count for its mean.
  private struct EstimateKey: Hashable {
    var section: Int
    var key: SizeKey
  }

  init(_ screen: ListScreen) {
    self.screen = screen
    measurer = SizeMeasurer(screen)
    screen.lineMetrics = { [weak self] section in
      guard let self, host.placesSections else { return (1, 0) }
      let metrics = metrics(ofSection: section)
      return (max(1, metrics.columns), max(0, metrics.lineSpacing))
    }
  }

  private var list: LiveList { screen.list }
  private var host: any ListHost { screen.host }
  private var display: DisplayedList { screen.display }
  private var provider: Provider { screen.provider }

  // MARK: Items

  /// The layout of a section of the view; the defaults if there is no such section.
  func metrics(ofSection index: Int) -> SectionMetrics {
    SectionMetrics(
      display.attributes(ofSection: index)?.layout, defaults: defaultMetrics ?? host.defaultMetrics)
  }

  /// The size of an item, in points: the stored one; without one, the size measured now; for a cell
  /// that can't be measured, the app's.
  func size(ofItemAt indexPath: IndexPath) -> Size {
    if let size = size(ofGapAt: indexPath) { return size }
    guard let question = sizeQuestion(at: indexPath) else { return .zero }
    if case .size(let size) = measurement(question) { return size }
    // It is asked each time, as by UIKit: nothing says when the app has another one.
    if let size = sizeOfApp(indexPath).map({ Size(width: $0.width, height: $0.height) }),
      size.isStorable
    {
      return size
    }
    return host.axis.size(breadth: question.length.points, length: estimatedLength)
  }

  /// Whether an item has no size yet, because its cell sizes itself on display.
  func isSizedOnDisplay(at indexPath: IndexPath) -> Bool {
    guard list.types.hasSizesOnDisplay, let question = sizeQuestion(at: indexPath),
      case .onDisplay = measurement(question)
    else { return false }
    return true
  }

  /// Keeps the length that a cell gave itself on display.
  ///
  /// - Returns: The item's size; `nil` if a cell without constraints has no length.
  @discardableResult func keep(lengthOnDisplay length: Double, at indexPath: IndexPath) -> Size? {
    guard length > 0, let question = sizeQuestion(at: indexPath) else { return nil }
    let size = measurer.rounded(
      host.axis.size(breadth: question.length.points, length: length))
    guard size.isStorable else { return nil }
    keep(size, question)
    return size
  }

  /// Keeps the lengths that cells gave themselves on display, of a view whose layout does not report
  /// them.
  func keepSizesOnDisplay() {
    guard list.types.hasSizesOnDisplay, host.isOnScreen else { return }
    for (path, length) in host.lengthsOnDisplay where isSizedOnDisplay(at: path) {
      keep(lengthOnDisplay: length, at: path)
    }
  }

  /// An item whose size is asked, and what the size depends on.
  private struct SizeQuestion {
    /// In the list.
    var path: ItemPath
    var length: FittingLength
    var section: SectionID
    var key: SizeKey
    /// The version of the code that measures; `nil` if no cell shows the item.
    var measurerVersion: Int?
    /// Whether the size is stored: it does not depend on the place.
    var isStored: Bool
  }

  /// The question for the size of an item; `nil` if there is no such item.
  ///
  /// `indexPath`: A path of the view.
  private func sizeQuestion(at indexPath: IndexPath) -> SizeQuestion? {
    guard let path = display.listPath(of: ItemPath(indexPath)) else { return nil }
    let length = fittingLength(
      inSection: indexPath.section, indentedBy: host.indentation(at: indexPath))
    guard let section = display.sectionID(at: indexPath.section) else { return nil }
    return SizeQuestion(
      path: path, length: length, section: section, key: measurer.key(fitting: length, in: section),
      measurerVersion: measurerVersion(ofItemAt: path, in: section),
      isStored: !hasSizeByPlace(at: path))
  }

  /// The stored size of an item, or the one measured now; `nil` if it can't be measured.
  private func measurement(_ question: SizeQuestion) -> SizeMeasurer.Measurement? {
    let path = question.path
    if question.isStored,
      case .exact(let size) = provider.size(
        at: path, for: question.key, measurerVersion: question.measurerVersion)
    {
      return .size(size)
    }
    guard let item = provider.item(at: path) else { return nil }
    let room = Item.Room(
      length: question.length.points, axis: question.key.axis,
      environment: question.key.environment, section: question.section, path: path)
    let measurement = measurer.measure(item, in: room)
    if case .size(let size) = measurement { keep(size, question) }
    return measurement
  }

  private func keep(_ size: Size, _ question: SizeQuestion) {
    guard question.isStored else { return }
    provider.keep(
      size, at: question.path, for: question.key, measurerVersion: question.measurerVersion ?? 1)
  }

  /// The version of the code that measures the cell of an item; `nil` if no cell shows it.
  ///
  /// `path`: A path of the list.
  private func measurerVersion(ofItemAt path: ItemPath, in section: SectionID) -> Int? {
    screen.cellName(ofItemAt: path, in: section).map { list.types.measurerVersion(of: $0) }
  }

  /// Whether the size of an item depends on its place.
  ///
  /// `path`: A path of the list.
  private func hasSizeByPlace(at path: ItemPath) -> Bool {
    // Only then the item has to be read.
    guard list.types.hasSizesByPlace, let item = provider.item(at: path) else { return false }
    return list.types.type(of: item)?.sizeDependsOnPlace ?? false
  }

  // MARK: Supplementary views

  /// The size of a supplementary view, in points; `nil` if the section has no such view.
  func size(of kind: Supplementary.Kind, inSection index: Int) -> Size? {
    if screen.supplementaries.isPending,
      let supplementary = screen.supplementaryID(kind, inSection: index),
      let size = screen.supplementaries.keptSize(supplementary)
    {
      return size
    }
    guard let section = display.listIndex(ofSection: index),
      let id = provider.sectionID(at: section),
      let stored = screen.supplementary(kind, inSection: index)
    else { return nil }
    let metrics = host.placesSections ? metrics(ofSection: index) : SectionMetrics()
    let length = metrics.fittingLength(of: kind, in: measurer.container)
    let key = measurer.key(fitting: length)
    let type = list.supplementaryTypes[stored.view]
    let version = type?.measurerVersion
    let isStored = type?.sizeDependsOnPlace != true
    let name =
      provider.attributes(ofSection: section).map { screen.views.storedKind(kind, in: $0) }
      ?? kind
    if isStored,
      case .exact(let size) = provider.size(
        of: name, inSection: section, for: key, measurerVersion: version)
    {
      return size
    }
    let room = Supplementary.Room(
      length: length.points, axis: key.axis, environment: key.environment, kind: kind, section: id,
      sectionIndex: section)
    guard let size = measurer.measure(stored, in: room) else {
      return host.axis.size(breadth: length.points, length: estimatedLength)
    }
    if isStored {
      provider.keep(size, of: name, inSection: section, for: key, measurerVersion: version ?? 1)
    }
    return size
  }

  /// The size of a gap that the adapter shows by a cell of its own: as long as its missing items are, if
  /// each has the mean length of the section's items; `nil` for other items.
  ///
  /// It is not stored: it depends on the other items.
  func size(ofGapAt indexPath: IndexPath) -> Size? {
    guard let gap = screen.gap(at: indexPath), !screen.views.hasGapCell else { return nil }
    var length = Double(GapView.plainLength)
    if gap.gap.count != nil {
      let mean = estimatedLength(inSection: indexPath.section)
      length = max(length, Double(gap.lines) * (mean + gap.spacing) - gap.spacing)
    }
    let size = host.axis.size(
      breadth: fittingLength(inSection: indexPath.section).points, length: length)
    return measurer.rounded(size)
  }

  /// The mean length of a section's items, for items that were not visible yet.
  func estimatedLength(inSection index: Int) -> Double {
    let key = measurer.key(
      fitting: fittingLength(inSection: index), in: display.sectionID(at: index))
    let estimate = EstimateKey(section: index, key: key)
    if estimates.count != screen.displayCount { estimates = ([:], screen.displayCount) }
    // A table asks with every row.
    if let length = estimates.lengths[estimate] { return length }
    let extent = display.listIndex(ofSection: index).flatMap {
      provider.extent(ofSection: $0, for: key)
    }
    guard let mean = extent?.mean(estimate: estimatedLength) else { return estimatedLength }
    estimates.lengths[estimate] = mean
    return mean
  }

  /// Has the means of sections worked out again.
  func forgetEstimates() { estimates.lengths = [:] }

  /// The paths in the list of items of the view, and the keys of their sizes by section.
  func keys(ofItemsAt indexPaths: [IndexPath]) -> (paths: [ItemPath], keys: [Int: SizeKey]) {
    var keys: [Int: SizeKey] = [:]
    let paths = indexPaths.compactMap { indexPath -> ItemPath? in
      guard let path = display.listPath(of: ItemPath(indexPath)) else { return nil }
      if keys[path.section] == nil {
        keys[path.section] = measurer.key(
          fitting: fittingLength(
            inSection: indexPath.section, indentedBy: host.indentation(at: indexPath)),
          in: display.sectionID(at: indexPath.section))
      }
      return path
    }
    return (paths, keys)
  }

  /// The size that items of a section fit across the direction of scrolling.
  ///
  /// `indentation`: How much narrower than usual an item is, in points.
  func fittingLength(
    inSection index: Int, indentedBy indentation: Double = 0
  ) -> FittingLength {
    var container = measurer.container
    container.contentInsets.left += indentation
    let metrics = host.placesSections ? metrics(ofSection: index) : SectionMetrics()
    return metrics.fittingLength(in: container)
  }
}
