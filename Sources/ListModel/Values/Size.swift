/// A width and a height, in points.
public struct Size: Hashable, Sendable {
  /// The width, in points.
  public var width: Double
  /// The height, in points.
  public var height: Double

  /// A size; a store refuses negative, infinite and very large ones.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// No width and no height.
  public static var zero: Size { Size(width: 0, height: 0) }

  /// The greatest length that a store accepts, in points.
  package static var maximumLength: Double { 1_000_000 }

  /// Whether both lengths are finite and in `0...1,000,000`.
  package var isStorable: Bool {
    let lengths = 0...Self.maximumLength
    return lengths.contains(width) && lengths.contains(height)
  }
}
