import ListModel

/// The identity of a header, a footer or another supplementary view: a section has one of a kind.
struct SupplementaryID: Hashable {
  var kind: Supplementary.Kind
  var section: SectionID
}

/// The headers, footers and other supplementary views that an update can't change inside its batch
/// updates.
///
/// A batch update can't give a section another class of header: the adapter leaves the old view out
/// of the layout for a moment, and when it comes back, the view makes a new one. With some layouts
/// a batch update can't remove a header either: it keeps its size until the update is over.
struct SupplementaryRefresh {
  /// The kinds that the view has asked for.
  var kinds: Set<Supplementary.Kind> = []
  private var leftOut: Set<SupplementaryID> = []
  private var keptSizes: [SupplementaryID: Size] = [:]

  /// Whether the layout has to be corrected after the update.
  var isPending: Bool { !leftOut.isEmpty || !keptSizes.isEmpty }

  func isLeftOut(_ id: SupplementaryID) -> Bool { leftOut.contains(id) }

  /// The size that a view keeps at the moment, whatever the list says.
  func keptSize(_ id: SupplementaryID) -> Size? { keptSizes[id] }

  mutating func leaveOut(_ id: SupplementaryID) { leftOut.insert(id) }

  mutating func keep(_ size: Size, of id: SupplementaryID) { keptSizes[id] = size }

  /// Leaves the views out of the layout whose sizes were kept.
  mutating func leaveOutKept() {
    leftOut.formUnion(keptSizes.keys)
    keptSizes = [:]
  }

  /// Lets all views back into the layout.
  ///
  /// - Returns: Those that were left out.
  @discardableResult mutating func bringBack() -> Set<SupplementaryID> {
    defer { leftOut = [] }
    keptSizes = [:]
    return leftOut
  }
}
