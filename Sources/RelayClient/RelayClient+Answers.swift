import ListModel

extension RelayClient {
  /// Where a list's log ends: the number of its last line, and what tells that line from another one.
  public struct End: Hashable, Sendable, CustomStringConvertible {
    /// The end as text, `number:hash`, to keep it and for ``init(_:)``.
    public let description: String
    /// The number of the last line, from 1.
    public let sequence: Int

    /// Reads an end that was kept as its ``description``.
    ///
    /// - Returns: `nil` for another text.
    public init?(_ text: String) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let sequence = Int(parts[0]), sequence > 0, !parts[1].isEmpty,
        parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
      else { return nil }
      self.sequence = sequence
      description = text
    }

    init?(entityTag: String?) {
      guard let entityTag, entityTag.count > 2, entityTag.first == "\"", entityTag.last == "\""
      else { return nil }
      self.init(String(entityTag.dropFirst().dropLast()))
    }
  }

  /// Where a list must end for a call to write to it.
  public enum Expectation: Hashable, Sendable {
    /// Anywhere.
    case any
    /// The list has no line yet.
    case new
    /// Nobody has written to it since it ended there.
    case end(End)

    var headers: [String: String] {
      switch self {
      case .any: [:]
      case .new: ["If-None-Match": "*"]
      case .end(let end): ["If-Match": "\"\(end)\""]
      }
    }
  }

  /// What a call has written.
  public struct Written: Hashable, Sendable {
    /// The number of the line that has it.
    public let sequence: Int
    /// The end of the list after it, to write the next commit there; `nil` for a commit that an earlier
    /// call has made, since the list may have gone on.
    public let end: End?
  }

  /// Why a commit is not made: it does not fit the list.
  public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, a sentence of the relay.
    public let why: String

    /// The reason.
    public var description: String { why }
  }

  /// Somebody else has written to the list: it does not end where the call says.
  public struct Conflict: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the list ends; `nil` if it has no line.
    public let end: End?

    /// A sentence.
    public var description: String {
      end.map { "the list ends at \($0)" } ?? "the list has no line"
    }
  }
}

extension RelayClient {
  /// Reads the answer to a write: `{"seq":NUMBER,"end":END}` or `{"why":REASON}`.
  func outcome(_ bytes: some Sequence<UInt8>) throws(StoreError) -> Result<Written, Refusal> {
    do throws(FormatError) {
      let object = try JSONNode(parsing: Array(bytes)).object()
      if let why = try object.nullable("why", as: String.self) {
        return .failure(Refusal(why: why))
      }
      guard let sequence = Int(try object.required("seq", as: String.self)) else {
        throw FormatError("a number of a line is expected", at: "seq")
      }
      let end = try object.nullable("end", as: String.self)
      return .success(Written(sequence: sequence, end: end.flatMap { End($0) }))
    } catch { throw unreadable(error) }
  }

  func unreadable(_ error: FormatError) -> StoreError {
    self.error(.feedUnavailable, "answers what no relay does: \(error)", error)
  }
}
