import Foundation
import ListItems
import ListSync
import ListViews

extension ViewRegistration {
  /// The class to register: the source's own, or that of the view that its factory makes; `nil` for
  /// a nib and for a prototype.
  @MainActor var type: AnyClass? {
    switch source {
    case .type(let type): type
    case .factory(let make): Swift.type(of: make(reuseIdentifier))
    case .nib, .prototype: nil
    }
  }

  /// The nib to register; `nil` for other sources.
  @MainActor var nib: UINib? {
    guard case .nib(let name, let bundle) = source else { return nil }
    return UINib(nibName: name, bundle: bundle.flatMap { Bundle(identifier: $0) })
  }

  /// Whether the view's storyboard has it already.
  var isPrototype: Bool {
    if case .prototype = source { true } else { false }
  }
}

extension ViewRegistry {
  /// The views of a list's types.
  init(_ list: LiveList, fallback: ViewSource, supplementaryFallback: ViewSource) {
    self.init(fallback: fallback, supplementaryFallback: supplementaryFallback)
    register(list.types.all)
    register(list.supplementaryTypes.all)
  }
}
