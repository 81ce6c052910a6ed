/// How lengths are rounded to device pixels.
public enum PixelRounding: Hashable, Sendable, CaseIterable {
  /// Up, to the next whole pixel, so that nothing is cut off.
  case up
  /// Down, to the previous whole pixel, as `CHTCollectionViewWaterfallLayout` does.
  case down
  /// Not at all.
  case none
}

extension PixelRounding {
  /// A length that is nearer to a whole pixel than this counts as whole: sums have rounding errors.
  static var tolerance: Double { 1e-6 }

  /// A finite length in points, rounded to pixels; a point has `scale` pixels.
  package func round(_ length: Double, scale: Double) -> Double {
    switch self {
    case .up: (length * scale - Self.tolerance).rounded(.up) / scale
    case .down: (length * scale + Self.tolerance).rounded(.down) / scale
    case .none: length
    }
  }

  /// A finite position in points, rounded down to a whole pixel; not rounded if lengths are not.
  func position(_ position: Double, scale: Double) -> Double {
    self == .none ? position : PixelRounding.down.round(position, scale: scale)
  }
}

extension Double {
  /// A length from outside, made valid: 0 if it is negative or not a number, and at most 100 million points:
  /// what is missing of a long list may be that long.
  var sanitizedLength: Double { self > 0 ? min(self, 100_000_000) : 0 }
}
