public import Foundation
public import ListLayout
public import ListModel
import ListSync
import ListItems
import Providers

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

extension ListAdapter {
  // MARK: Public answers

  /// How a section is placed: as it says itself, and for the rest as ``defaultMetrics`` or the view's
  /// layout say.
  ///
  /// - Parameter index: As the view counts.
  /// - Returns: The defaults for a section that there is not.
  public func metrics(ofSection index: Int) -> SectionMetrics {
    SectionMetrics(
      attributes(ofSection: index)?.layout, defaults: defaultMetrics ?? host.defaultMetrics)
  }

  /// The size of the item at a path: as it was kept, else measured now, and kept.
  ///
  /// For the delegates of layouts that Cellar does not know.
  ///
  /// - Returns: Points; for what can't be measured, as long as ``estimatedLength``.
  public func size(ofItemAt indexPath: IndexPath) -> Size {
    guard let path = path(indexPath) else { return .zero }
    let length = metrics(ofSection: indexPath.section).fittingLength(in: container)
    let key = length.sizeKey(axis: host.axis, in: environment)
    let version = provider.cell(at: path).map { list.types.measurerVersion(of: $0.cell) }
    if case .exact(let size) = provider.size(at: path, for: key, measurerVersion: version) {
      return size
    }
    guard let size = measureItem(at: path, fitting: length) else {
      return host.axis.size(breadth: length.points, length: estimatedLength)
    }
    provider.keep(size, at: path, for: key, measurerVersion: version ?? 1)
    return size
  }

  /// The size of a section's header, footer or the like: as it was kept, else measured now, and kept.
  ///
  /// - Returns: Points; `nil` if the section has no such view.
  public func size(of kind: Supplementary.Kind, inSection index: Int) -> Size? {
    guard let section = section(index), let stored = supplementary(kind, inSection: index) else {
      return nil
    }
    let length = metrics(ofSection: index).fittingLength(of: kind, in: container)
    let key = length.sizeKey(axis: host.axis, in: environment)
    let version = list.supplementaryTypes[stored.view]?.measurerVersion
    let name = provider.attributes(ofSection: section).map { storedKind(kind, in: $0) } ?? kind
    let kept = provider.size(of: name, inSection: section, for: key, measurerVersion: version)
    if case .exact(let size) = kept { return size }
    guard let size = measure(stored, kind: kind, fitting: length) else {
      return host.axis.size(breadth: length.points, length: estimatedLength)
    }
    provider.keep(size, of: name, inSection: section, for: key, measurerVersion: version ?? 1)
    return size
  }

  /// Says that the size of an item does not hold any more, though its content is the same: a picture has
  /// come, say.
  ///
  /// It is measured again when it is seen.
  public func setNeedsLayout(of item: ItemID) {
    guard let path = provider.path(of: item) else { return }
    provider.setNeedsLayout(at: path)
    guard !mustWait, let indexPath = indexPath(of: item) else { return sizesDidChange() }
    relayout(itemAt: indexPath)
  }

  /// Says that no size of a section's items, header and footer holds any more.
  public func setNeedsLayout(ofSection section: SectionID) {
    guard let index = provider.index(of: section) else { return }
    for item in 0..<provider.numberOfItems(inSection: index) {
      provider.setNeedsLayout(at: ItemPath(section: index, item: item))
    }
    for kind in provider.attributes(ofSection: index)?.supplementaryKinds ?? [] {
      provider.setNeedsLayout(of: kind, inSection: index)
    }
    sizesDidChange()
  }

  /// Says that sizes depend on something else now: the user chose another language, say.
  ///
  /// What was measured before is kept for the way back. Another size of text is noticed without this.
  public func layoutEnvironmentDidChange() {
    latestTraits = nil
    sizesDidChange()
  }

  /// Sizes are other ones now: what is placed is to be placed again, once nothing speaks against it.
  func sizesDidChange() {
    estimatedLengths = [:]
    hasOtherSizes = mustWait
    if hasOtherSizes { isBehind = true } else { relayout() }
  }

  // MARK: What sizes depend on

  /// What sizes depend on now.
  var environment: LayoutEnvironment {
    guard let traits = host.view?.traitCollection else { return latestEnvironment }
    if traits !== latestTraits {
      latestTraits = traits
      latestEnvironment = LayoutEnvironment(traits)
    }
    return latestEnvironment
  }

  /// The room that the list is placed in.
  var container: LayoutContainer {
    guard let view = host.view else { return LayoutContainer(size: .zero) }
    var container = LayoutContainer(
      size: Size(width: Double(view.bounds.width), height: Double(view.bounds.height)),
      axis: host.axis, in: environment)
    let insets = view.adjustedContentInset
    container.contentInsets = Insets(
      top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
    return container
  }

  /// How long an item of a section is that was not seen yet.
  func estimatedLength(inSection index: Int) -> Double {
    let key = metrics(ofSection: index).fittingLength(in: container)
      .sizeKey(axis: host.axis, in: environment)
    let place = EstimatePlace(section: index, key: key)
    if let length = estimatedLengths[place] { return length }
    guard let section = section(index), let extent = provider.extent(ofSection: section, for: key)
    else { return estimatedLength }
    let length = extent.mean(estimate: estimatedLength)
    estimatedLengths[place] = length
    return length
  }

  // MARK: Measuring

  /// - Returns: `nil` for what can't be measured.
  private func measureItem(at path: ItemPath, fitting length: FittingLength) -> Size? {
    guard let item = provider.item(at: path), length.pixels > 0 else { return nil }
    let resolution = views.cell(item.state.cell, type: item.state.type)
    guard resolution.unresolvedName == nil, let type = list.types.type(of: item) else { return nil }
    do throws(ItemTypeError) {
      let value = try list.types.value(of: item)
      measurementCount += 1
      if let size = value.size(fitting: length.points, in: environment) {
        return host.axis.rounded(size, in: environment)
      }
      guard let cell = templates.view(for: resolution.registration) else { return nil }
      try value.configure(anyCell: cell)
      let size = cell.size(fitting: length.points, axis: host.axis, by: type.measuring)
      return host.axis.rounded(size, in: environment)
    } catch {
      report(error)
      return nil
    }
  }

  private func measure(
    _ stored: Supplementary, kind: Supplementary.Kind, fitting length: FittingLength
  ) -> Size? {
    let resolution = views.supplementary(stored.view, kind: kind.rawValue)
    guard length.pixels > 0, resolution.unresolvedName == nil,
      let type = list.supplementaryTypes[stored.view]
    else { return nil }
    do throws(SupplementaryTypeError) {
      let value = try list.supplementaryTypes.value(of: stored)
      measurementCount += 1
      if let size = value.size(fitting: length.points, in: environment) {
        return host.axis.rounded(size, in: environment)
      }
      guard let view = templates.view(for: resolution.registration) else { return nil }
      try value.configure(anyView: view)
      let size = view.size(fitting: length.points, axis: host.axis, by: type.measuring)
      return host.axis.rounded(size, in: environment)
    } catch {
      report(error)
      return nil
    }
  }
}

extension SizeKey.Axis {
  /// A size by the direction of scrolling.
  func size(breadth: Double, length: Double) -> Size {
    self == .vertical
      ? Size(width: breadth, height: length) : Size(width: length, height: breadth)
  }

  /// The length along the direction of scrolling.
  func length(of size: Size) -> Double { self == .vertical ? size.height : size.width }

  /// A size whose length is whole pixels, so that nothing is cut off.
  func rounded(_ size: Size, in environment: LayoutEnvironment) -> Size {
    let length = PixelRounding.up.round(length(of: size), scale: environment.displayScale)
    return self == .vertical
      ? Size(width: size.width, height: length) : Size(width: length, height: size.height)
  }
}
