import Foundation
import ListItems
import ListSync

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

extension ViewSource {
  /// The class to register: the source's own, or that of the view that its factory makes; `nil` for
  /// a nib.
  @MainActor var type: AnyClass? {
    switch self {
    case .type(let type): type
    case .factory(let make): Swift.type(of: make())
    case .nib: nil
    }
  }

  /// The nib to register; `nil` for other sources.
  @MainActor var nib: UINib? {
    guard case .nib(let name, let bundle) = self else { return nil }
    return UINib(nibName: name, bundle: bundle.flatMap { Bundle(identifier: $0) })
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
