import Foundation
import ListItems
import ListLayout
import ListModel
import ListSync
import ListViews

/// Measures items, headers and footers whose sizes the store does not have.
///
/// It asks the item for its size. If the item does not know, it measures a template: a cell that is
/// never shown.
@MainActor final class SizeMeasurer {
  private(set) var count = 0
  private let screen: ListScreen
  /// Called when the view's traits or insets changed, and sizes with them.
  var onChange: (() -> Void)?
  private var templates: TemplateViews
  private var latestTraits: UITraitCollection?
  private var latestEnvironment = LayoutEnvironment()
  /// What tells the cells of this view from those that other screens show the same items in.
  private lazy var cellVariant = views.cellVariant(of: list.types)
  /// The kind of view, its size class and its cells, in the form that size keys have them in.
  private var latestVariant = ""
  private var latestInsets = UIEdgeInsets.zero
  /// Whether the view has asked for sizes: only then other surroundings matter.
  private var wasAsked = false

  init(_ screen: ListScreen) {
    self.screen = screen
    templates = TemplateViews(in: screen.host.view)
    templates.room.onChange = { [weak self] in self?.surroundingsChanged() }
  }

  private var list: LiveList { screen.list }
  private var host: any ListHost { screen.host }
  private var views: ViewRegistry { screen.views.registry }

  // MARK: What sizes depend on

  /// What sizes depend on besides the content and the width: text size, language, scale and so on.
  var environment: LayoutEnvironment {
    readTraits()
    return latestEnvironment
  }

  /// Every size that the view asks for needs the environment: it is made once for the same traits.
  private func readTraits() {
    guard let traits = host.view?.traitCollection, traits !== latestTraits else { return }
    latestTraits = traits
    latestEnvironment = LayoutEnvironment(traits)
    latestVariant = [
      host.sizeVariant, traits.horizontalSizeClass == .regular ? "regular width" : "", cellVariant,
    ].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Reports other traits and insets, if sizes depend on them.
  private func surroundingsChanged() {
    guard wasAsked else { return }
    let old = (latestEnvironment, latestVariant, latestInsets)
    readTraits()
    latestInsets = host.contentInsets
    if old != (latestEnvironment, latestVariant, latestInsets) { onChange?() }
  }

  /// The room that the list is placed in.
  var container: LayoutContainer {
    guard let view = host.view else { return LayoutContainer(size: .zero) }
    var container = LayoutContainer(
      size: Size(width: Double(view.bounds.width), height: Double(view.bounds.height)),
      axis: host.axis, in: environment)
    container.contentInsets = Insets(host.contentInsets)
    return container
  }

  /// The key of the sizes that fit a length now.
  ///
  /// `section`: The section of the items that are measured; `nil` for other views.
  func key(fitting length: FittingLength, in section: SectionID? = nil) -> SizeKey {
    readTraits()
    if !wasAsked {
      wasAsked = true
      latestInsets = host.contentInsets
    }
    var variant = latestVariant
    // An item that moves to another section may get another cell there.
    if let section, let cell = views.cellsOfSections[section] { variant += " in \(cell)" }
    return length.sizeKey(axis: host.axis, variant: variant, in: latestEnvironment)
  }

  /// Reads the environment again: it may depend on more than the view's traits, on the language for
  /// instance.
  func forgetEnvironment() { latestTraits = nil }

  // MARK: Measuring

  enum Measurement {
    case size(Size)
    /// The cell sizes itself on display.
    case onDisplay
  }

  func measure(_ item: Item, in room: Item.Room) -> Measurement? {
    let resolution = views.cell(item.state.cell, section: room.section, type: item.state.type)
    guard room.length > 0, resolution.unresolvedName == nil, let type = list.types.type(of: item)
    else { return nil }
    do throws(ItemTypeError) {
      let value = try list.types.value(of: item)
      let own = value.size(fitting: room)
      if own == nil, type.measuring == .onDisplay, host.letsCellsSizeThemselves {
        return .onDisplay
      }
      count += 1
      if let own, own.isStorable { return .size(rounded(own)) }
      let cell = templates.view(for: resolution.registration, as: host, fitting: room.length)
      guard let cell else { return nil }
      try value.configure(anyCell: cell)
      var size = cell.size(fitting: room.length, axis: room.axis, by: type.measuring)
      if isUnconstrained(size, type.measuring) { return nil }
      size.height += host.separatorLength
      return .size(rounded(size))
    } catch {
      screen.problems.report(error)
      return nil
    }
  }

  /// Measures a header, a footer or another supplementary view; `nil` if that is not possible.
  func measure(_ stored: Supplementary, in room: Supplementary.Room) -> Size? {
    let resolution = views.supplementary(
      list.supplementaryTypes.currentName(of: stored.view), kind: room.kind)
    guard room.length > 0, resolution.unresolvedName == nil,
      let type = list.supplementaryTypes[stored.view]
    else { return nil }
    do throws(SupplementaryTypeError) {
      let value = try list.supplementaryTypes.value(of: stored)
      count += 1
      if let size = value.size(fitting: room), size.isStorable { return rounded(size) }
      let view = templates.view(for: resolution.registration, as: host, fitting: room.length)
      guard let view else { return nil }
      try value.configure(anyView: view)
      let size = view.size(fitting: room.length, axis: room.axis, by: type.measuring)
      return isUnconstrained(size, type.measuring) ? nil : rounded(size)
    } catch {
      screen.problems.report(error)
      return nil
    }
  }

  /// Whether a view has no constraints that give it a length: a size of 0 would hide the item.
  private func isUnconstrained(_ size: Size, _ measuring: ViewMeasuring) -> Bool {
    measuring != .sizeThatFits && host.axis.length(of: size) <= 0
  }

  /// A size whose length is whole pixels.
  func rounded(_ size: Size) -> Size { host.axis.rounded(size, in: environment) }
}

extension SizeKey.Axis {
  func size(breadth: Double, length: Double) -> Size {
    self == .vertical
      ? Size(width: breadth, height: length) : Size(width: length, height: breadth)
  }

  /// The length along the direction of scrolling.
  func length(of size: Size) -> Double { self == .vertical ? size.height : size.width }

  /// A size whose length is whole pixels, rounded up so that nothing is cut off.
  func rounded(_ size: Size, in environment: LayoutEnvironment) -> Size {
    let length = PixelRounding.up.round(length(of: size), scale: environment.displayScale)
    return self == .vertical
      ? Size(width: size.width, height: length) : Size(width: length, height: size.height)
  }
}
