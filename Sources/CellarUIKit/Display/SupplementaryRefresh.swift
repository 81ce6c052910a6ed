import ListModel

/// The headers, footers and other supplementary views that an update can't change inside its batch
/// updates.
///
/// A batch update can't give a section another class of header: the adapter leaves the old view out
/// of the layout for a moment, and when it comes back, the view makes a new one. With some layouts
/// a batch update can't remove a header either: it keeps its size until the update is over.
struct SupplementaryRefresh {
  /// The kinds that the view has asked for.
  var kinds: Set<Supplementary.Kind> = []
  private var leftOut: Set<Place> = []
  private var keptSizes: [Place: Size] = [:]

  /// A kind of supplementary view in a section.
  struct Place: Hashable {
    var kind: Supplementary.Kind
    var section: SectionID
  }

  /// Whether the layout has to be corrected after the update.
  var isPending: Bool { !leftOut.isEmpty || !keptSizes.isEmpty }

  /// Whether a view is left out of the layout at the moment.
  func isLeftOut(_ place: Place) -> Bool { leftOut.contains(place) }

  /// The size that a view keeps at the moment, whatever the list says.
  func keptSize(_ place: Place) -> Size? { keptSizes[place] }

  /// Leaves a view out of the layout.
  mutating func leaveOut(_ place: Place) { leftOut.insert(place) }

  /// Keeps the size of a view.
  mutating func keep(_ size: Size, of place: Place) { keptSizes[place] = size }

  /// Leaves the views out of the layout whose sizes were kept.
  mutating func leaveOutKept() {
    leftOut.formUnion(keptSizes.keys)
    keptSizes = [:]
  }

  /// Lets all views back into the layout.
  ///
  /// - Returns: Those that were left out.
  @discardableResult mutating func bringBack() -> Set<Place> {
    defer { leftOut = [] }
    keptSizes = [:]
    return leftOut
  }
}
