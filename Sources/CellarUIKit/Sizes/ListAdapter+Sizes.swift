public import Foundation
import ListItems
public import ListLayout
public import ListModel
import ListSync
import Providers
import ListViews

// Sizes come from the store. What it does not have is measured, and stored.
extension ListAdapter {
  // MARK: Answers

  /// The layout of a section: the section's own, completed by ``defaultMetrics`` or the view's
  /// layout.
  ///
  /// - Parameter index: The view's index.
  /// - Returns: The defaults if there is no such section.
  public func metrics(ofSection index: Int) -> SectionMetrics {
    SectionMetrics(
      display.attributes(ofSection: index)?.layout, defaults: defaultMetrics ?? host.defaultMetrics)
  }

  /// The size of the item at a path, for the delegates of layouts that Cellar does not know.
  ///
  /// - Returns: Points: the stored size; without one, the size measured now, which is stored then.
  ///   An item that can't be measured has ``estimatedLength``.
  public func size(ofItemAt indexPath: IndexPath) -> Size {
    guard let question = sizeQuestion(at: indexPath) else { return .zero }
    guard case .size(let size) = measurement(question) else {
      return host.axis.size(breadth: question.length.points, length: estimatedLength)
    }
    return size
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
    guard let stored = provider.cell(at: path)?.cell else { return nil }
    return views.registry.cellName(
      stored, section: section, type: provider.item(at: path)?.state.type
    ).map { list.types.measurerVersion(of: $0) }
  }

  /// Whether the size of an item depends on its place.
  ///
  /// `path`: A path of the list.
  private func hasSizeByPlace(at path: ItemPath) -> Bool {
    // Only then the item has to be read.
    guard list.types.hasSizesByPlace, let item = provider.item(at: path) else { return false }
    return list.types.type(of: item)?.sizeDependsOnPlace ?? false
  }

  /// The size of a section's header, footer or another supplementary view.
  ///
  /// - Returns: Points, as ``size(ofItemAt:)``; `nil` if the section has no such view.
  public func size(of kind: Supplementary.Kind, inSection index: Int) -> Size? {
    if supplementaries.isPending, let place = place(of: kind, inSection: index),
      let size = supplementaries.keptSize(place)
    {
      return size
    }
    guard let section = display.listIndex(ofSection: index),
      let id = provider.sectionID(at: section), let stored = supplementary(kind, inSection: index)
    else { return nil }
    let metrics = host.placesSections ? metrics(ofSection: index) : SectionMetrics()
    let length = metrics.fittingLength(of: kind, in: measurer.container)
    let key = measurer.key(fitting: length)
    let type = list.supplementaryTypes[stored.view]
    let version = type?.measurerVersion
    let isStored = type?.sizeDependsOnPlace != true
    let name =
      provider.attributes(ofSection: section).map { views.storedKind(kind, in: $0) }
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

  /// The mean length of a section's items, for items that were not visible yet.
  func estimatedLength(inSection index: Int) -> Double {
    let key = measurer.key(
      fitting: fittingLength(inSection: index), in: display.sectionID(at: index))
    let mean = measurer.estimate(ofSection: index, for: key) {
      display.listIndex(ofSection: index).flatMap { provider.extent(ofSection: $0, for: key) }?
        .mean(estimate: estimatedLength)
    }
    return mean ?? estimatedLength
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

  // MARK: Changes

  /// Drops the stored size of an item whose content is the same, for instance when its picture was
  /// loaded.
  ///
  /// The item is measured again when it is visible.
  public func setNeedsLayout(of item: ItemID) {
    guard let path = provider.path(of: item) else { return }
    provider.setNeedsLayout(at: path)
    guard state == .idle, !isPaused, let indexPath = indexPath(of: item) else {
      return sizesDidChange()
    }
    host.relayout(itemAt: indexPath)
    keepSizesOnDisplay()
  }

  /// Drops the stored sizes of a section's items and supplementary views.
  public func setNeedsLayout(ofSection section: SectionID) {
    guard let index = provider.index(of: section) else { return }
    provider.setNeedsLayout(ofSection: index)
    sizesDidChange()
  }

  /// Measures for another environment, for instance after the user chose another language.
  ///
  /// The store keeps the sizes for the old environment, too. The adapter notices other traits of
  /// the view by itself: text size, bold text, scale, direction and size class.
  public func layoutEnvironmentDidChange() {
    measurer.forgetEnvironment()
    sizesDidChange()
    for adapter in nestedAdapters.values.joined() { adapter.layoutEnvironmentDidChange() }
  }

  /// Has the view placed again, now or when it may be updated.
  func sizesDidChange() {
    measurer.forgetEstimates()
    react(to: .sizesChanged)
  }
}
