/// The order that a list, or a section, had at an earlier revision: found by taking back the
/// changes since, in pieces of the current order.
///
/// So it takes memory for what was changed, however long the order is.
struct EarlierOrder<ID: Hashable> {
  enum Piece {
    /// Places of the current order, in which nothing was changed since.
    case current(Range<Int>)
    /// What stood there; it may be elsewhere now, or gone.
    case one(ID)
  }

  private(set) var pieces: [Piece]

  /// An order as it is now.
  init(count: Int) { pieces = count > 0 ? [.current(0..<count)] : [] }

  /// An order of which nothing is there now.
  init(_ ids: [ID]) { pieces = ids.map { .one($0) } }

  /// An element: one that was moved, inserted or deleted since, or a place of the current order.
  enum Element {
    case one(ID)
    case current(Int)
  }

  /// The element at an index; `nil` if the order has none.
  func element(at index: Int) -> Element? {
    guard let (piece, offset) = find(index), pieces.indices.contains(piece) else { return nil }
    switch pieces[piece] {
    case .one(let id): return .one(id)
    case .current(let range): return .current(range.lowerBound + offset)
    }
  }

  /// The index of a place of the current order; `nil` if what is there now was elsewhere.
  func index(ofCurrent place: Int) -> Int? {
    var index = 0
    for piece in pieces {
      switch piece {
      case .one: index += 1
      case .current(let range):
        if range.contains(place) { return index + place - range.lowerBound }
        index += range.count
      }
    }
    return nil
  }

  /// The index of something that was moved, inserted or deleted since.
  func index(of id: ID) -> Int? {
    var index = 0
    for piece in pieces {
      switch piece {
      case .one(id): return index
      case .one: index += 1
      case .current(let range): index += range.count
      }
    }
    return nil
  }

  /// Takes out the element at an index, which the order must have.
  mutating func remove(at index: Int) {
    guard let (piece, offset) = find(index), pieces.indices.contains(piece) else { return }
    guard case .current(let range) = pieces[piece] else {
      pieces.remove(at: piece)
      return
    }
    let middle = range.lowerBound + offset
    let rest = [range.lowerBound..<middle, (middle + 1)..<range.upperBound]
    pieces.replaceSubrange(
      piece...piece, with: rest.filter { !$0.isEmpty }.map { .current($0) })
  }

  /// - Returns: Whether the order has the place.
  mutating func insert(_ id: ID, at index: Int) -> Bool {
    guard let (piece, offset) = find(index) else { return false }
    guard offset > 0, case .current(let range) = pieces[piece] else {
      pieces.insert(.one(id), at: piece)
      return true
    }
    let middle = range.lowerBound + offset
    pieces.replaceSubrange(
      piece...piece,
      with: [.current(range.lowerBound..<middle), .one(id), .current(middle..<range.upperBound)])
    return true
  }

  /// The piece that has an index, or the end, and the offset in it.
  private func find(_ index: Int) -> (piece: Int, offset: Int)? {
    if index < 0 { return nil }
    var rest = index
    for (number, piece) in pieces.enumerated() {
      let count = if case .current(let range) = piece { range.count } else { 1 }
      if rest < count { return (number, rest) }
      rest -= count
    }
    return rest == 0 ? (pieces.count, 0) : nil
  }
}
