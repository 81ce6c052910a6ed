/// What becomes of lengths that are not whole device pixels.
public enum PixelRounding: Hashable, Sendable, CaseIterable {
  /// To the next whole pixel: nothing is cut off.
  case up
  /// To the whole pixel before, as `CHTCollectionViewWaterfallLayout` does.
  case down
  /// They stay as they are.
  case none
}

extension PixelRounding {
  /// How far from a whole pixel a length may be and count as whole: it is a sum's rounding error.
  static var tolerance: Double { 1e-6 }

  /// A length of finite points, rounded to pixels of which a point has `scale`.
  package func round(_ length: Double, scale: Double) -> Double {
    switch self {
    case .up: (length * scale - Self.tolerance).rounded(.up) / scale
    case .down: (length * scale + Self.tolerance).rounded(.down) / scale
    case .none: length
    }
  }

  /// A position of finite points: the whole pixel before it, unless nothing is rounded.
  func position(_ position: Double, scale: Double) -> Double {
    self == .none ? position : PixelRounding.down.round(position, scale: scale)
  }
}

extension Double {
  /// What a length from outside counts for: none if it is negative or no number, and never more than a
  /// store accepts.
  var sanitizedLength: Double { self > 0 ? min(self, 1_000_000) : 0 }
}
