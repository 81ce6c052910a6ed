/// A position before and after a move.
public struct Move<Path: Hashable & Sendable>: Hashable, Sendable {
  /// Before the move.
  public var from: Path
  /// After the move.
  public var to: Path

  /// A move.
  public init(from: Path, to: Path) {
    self.from = from
    self.to = to
  }
}
