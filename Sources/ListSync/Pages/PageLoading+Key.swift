package import ListModel
package import Pages

extension PageLoading {
  /// A page that a screen may need.
  package struct Key: Hashable, Sendable {
    /// The gap that it is for; `nil` for the newest page.
    package var gap: ItemID?
    /// Which part of it.
    package var part: PageRequest.Part

    package init(gap: ItemID?, part: PageRequest.Part) {
      self.gap = gap
      self.part = part
    }

    package static let newest = Key(gap: nil, part: .newest)

    /// The name under which the store notes that the page is under way; `nil` for the newest one.
    var noted: ItemID? {
      switch part {
      case .around(let item): item
      // An edge of the gap may be under way, too.
      case .from(let position): (try? ItemID("\(gap?.rawValue ?? "") from \(position)")) ?? gap
      case .newest, .after, .before: gap
      }
    }

    /// The same gap from its other edge; `nil` if the page is for no edge.
    var otherEdge: Key? {
      switch part {
      case .after: Key(gap: gap, part: .before)
      case .before: Key(gap: gap, part: .after)
      case .newest, .around, .from: nil
      }
    }

    /// The edge, as the store names it.
    var edge: String {
      switch part {
      case .newest: "newest"
      case .before: "lower"
      case .after, .around, .from: "upper"
      }
    }
  }
}

extension PageLoading.Key: Comparable {
  /// In any order, always the same.
  package static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.gap?.rawValue ?? "", "\(lhs.part)") < (rhs.gap?.rawValue ?? "", "\(rhs.part)")
  }
}
