import Foundation
import ListItems
import ListModel

/// The cells and supplementary views that a host can dequeue: looked up by the names in the store,
/// and registered with the host when they are first needed.
@MainActor final class RegisteredViews {
  private(set) var registry: ViewRegistry
  private let host: any ListHost
  private let problems: ProblemReports
  private var ledger = RegistrationLedger()

  /// Registers everything that the registry names.
  init(_ registry: ViewRegistry, in host: any ListHost, reportingTo problems: ProblemReports) {
    self.registry = registry
    self.host = host
    self.problems = problems
    for registration in registry.requiredRegistrations() { register(registration) }
  }

  /// Adds the views of another list that the registry has no views for.
  func add(missingOf other: ViewRegistry) {
    registry.add(missingOf: other)
    for registration in registry.requiredRegistrations() { register(registration) }
  }

  /// What the view dequeues for an item.
  ///
  /// `item`: `nil` for an item that can't be read or decoded, which gets the fallback.
  /// `section`: The item's section.
  func registration(for item: Item?, in section: SectionID? = nil) -> ViewRegistration {
    guard let item else {
      let registration = registry.fallback(.cell)
      register(registration)
      return registration
    }
    if item.state.isGap, !hasGapCell {
      register(host.gapCell)
      return host.gapCell
    }
    let resolution = registry.cell(item.state.cell, section: section, type: item.state.type)
    register(resolution.registration)
    report(resolution)
    return resolution.registration
  }

  /// Whether the app shows gaps by a cell of its own.
  var hasGapCell: Bool { registry.cell(Gap.cell).unresolvedName == nil }

  /// What the view dequeues for a header, a footer or another supplementary view.
  func registration(for view: ViewName, kind: Supplementary.Kind) -> ViewRegistration {
    let resolution = registry.supplementary(view, kind: kind)
    register(resolution.registration)
    report(resolution)
    return resolution.registration
  }

  func fallback(kind: Supplementary.Kind) -> ViewRegistration {
    let registration = registry.fallback(.supplementary(kind: registry.unnumbered(kind)))
    register(registration)
    return registration
  }

  /// What a layout registers for all decorations.
  var decorations: [ViewRegistration] {
    let kinds: Set = [ViewRegistry.decorationKind, ViewRegistry.itemDecorationKind]
    return registry.requiredRegistrations(kinds: kinds).filter { registration in
      kinds.contains { registration.role == .supplementary(kind: $0) }
    }
  }

  /// What a layout registers for a decoration of a section or of an item.
  func registration(
    forDecoration view: ViewName, kind: Supplementary.Kind
  ) -> ViewRegistration {
    let resolution = registry.supplementary(view, kind: kind)
    report(resolution)
    return resolution.registration
  }

  /// Whether the app registered the cell of an item.
  ///
  /// Otherwise the view shows the fallback.
  func hasCell(of item: Item, in section: SectionID?) -> Bool {
    item.state.isGap
      ? hasGapCell
      : registry.cell(item.state.cell, section: section, type: item.state.type).unresolvedName
        == nil
  }

  /// Whether the app registered a supplementary view.
  ///
  /// Otherwise the view shows the fallback.
  func hasView(_ view: ViewName, kind: Supplementary.Kind) -> Bool {
    registry.supplementary(view, kind: kind).unresolvedName == nil
  }

  /// The kind that a section has a view under, for a kind that the view asks for: the kind itself,
  /// or an earlier name of it.
  func storedKind(
    _ kind: Supplementary.Kind, in attributes: SectionAttributes
  ) -> Supplementary.Kind {
    if attributes[kind] != nil { return kind }
    return attributes.supplementaryKinds.first { registry.known($0) == kind } ?? kind
  }

  private func register(_ registration: ViewRegistration) {
    if ledger.add(registration) { host.register(registration) }
  }

  private func report(_ resolution: ViewRegistry.Resolution) {
    if ledger.addUnresolved(resolution), let name = resolution.unresolvedName {
      problems.report(UnknownView(name: name, role: resolution.registration.role))
    }
  }
}
