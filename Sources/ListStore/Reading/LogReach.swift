/// How far the log of a list reaches, for a reader at a revision.
package struct LogReach: Hashable, Sendable {
  /// The store's id: 16 bytes.
  package var storeID: [UInt8]
  /// The list's revision.
  package var head: Int
  /// The chain hash at the list's revision.
  package var headChain: UInt64
  /// The first revision from which the log leads on.
  package var floor: Int
  /// Whether the log begins where something else than Cellar wrote to the store.
  package var beganAnew: Bool
  /// The chain hash at the reader's revision; `nil` if the log does not have that revision.
  package var chain: UInt64?
  /// Whether something was erased from the log, so that the reader knows another chain hash.
  package var wasErased: Bool
  /// How many changes the log has after the reader's revision.
  package var changes: Int

  /// How far a log reaches.
  package init(
    storeID: [UInt8], head: Int, headChain: UInt64, floor: Int, beganAnew: Bool = false,
    chain: UInt64?, wasErased: Bool = false, changes: Int
  ) {
    self.storeID = storeID
    self.head = head
    self.headChain = headChain
    self.floor = floor
    self.beganAnew = beganAnew
    self.chain = chain
    self.wasErased = wasErased
    self.changes = changes
  }
}
