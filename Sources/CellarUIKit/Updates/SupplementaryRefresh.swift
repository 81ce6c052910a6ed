import ListModel

/// The headers, footers and other supplementary views that an update has to refresh.
///
/// A batch update can't give a section another class of header. The adapter leaves the old view out
/// of the layout for a moment; when it comes back, the view makes a new one.
struct SupplementaryRefresh {
  /// The kinds that the view has asked for.
  var kinds: Set<Supplementary.Kind> = []
  private var leftOut: Set<Place> = []

  /// A kind of supplementary view in a section of the view.
  struct Place: Hashable {
    var kind: Supplementary.Kind
    var section: Int
  }

  /// Whether any view is left out of the layout at the moment.
  var hasLeftOut: Bool { !leftOut.isEmpty }

  /// Whether a view is left out of the layout at the moment.
  func isLeftOut(_ kind: Supplementary.Kind, inSection index: Int) -> Bool {
    leftOut.contains(Place(kind: kind, section: index))
  }

  /// Leaves a view out of the layout.
  mutating func leaveOut(_ kind: Supplementary.Kind, inSection index: Int) {
    leftOut.insert(Place(kind: kind, section: index))
  }

  /// Lets all views back into the layout.
  ///
  /// - Returns: Those that were left out.
  mutating func bringBack() -> Set<Place> {
    defer { leftOut = [] }
    return leftOut
  }
}
