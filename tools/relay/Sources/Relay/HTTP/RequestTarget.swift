/// The address of a request, as it was sent: nothing of it is made equal to something else.
struct RequestTarget: Sendable {
  let path: Substring
  let query: Substring

  /// - Throws: ``RelayFailure`` for an address that something else may read differently.
  init(_ text: String) throws {
    guard text.utf8.count <= Self.mostBytes else {
      throw RelayFailure(.wrongRequest, "the address is too long")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw RelayFailure(.wrongRequest, "the address has bytes that no address has")
    }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts[0]
    query = parts.count > 1 ? parts[1] : ""
  }

  /// A client may name some hundred lists with their positions.
  private static let mostBytes = 64 << 10
}
