public import ListModel
import ListTables

extension Repository {
  /// An edit that a server has not answered: an entry of a list's outbox.
  ///
  /// The list shows it from the moment it is made, and it survives the end of the process. It is
  /// sent under its ``id``, by which the server recognises it if it comes twice.
  public struct PendingEdit: Hashable, Sendable, Identifiable {
    /// 32 hexadecimal digits; random, so no two edits of any store have the same.
    public let id: String
    /// The list that it changes.
    public let list: ListID
    /// Who made it.
    public let author: Author
    /// When it was made, in milliseconds since 1970.
    public let time: Int?
    /// How far it got.
    public let state: State
    let edited: [EditedChange]

    /// An id for an edit.
    package static func newID() -> ID { EditRecord.newName() }
  }
}

extension Repository.PendingEdit {
  /// How far an edit got.
  public enum State: Hashable, Sendable {
    /// It is to be sent, or was sent and not answered.
    case waiting
    /// The server took it; the feed will bring it.
    case accepted
    /// It does not fit the list any more, and is not in it. It is not sent.
    case conflicted(Conflict)
    /// The server refused it, and it is not in the list; the text is the server's.
    case rejected(why: String?)
  }

  /// Why an edit does not fit the list any more.
  public struct Conflict: Hashable, Sendable {
    /// The first change of the edit that does not fit: the app's version.
    public let change: Change
    /// The reason, for a developer.
    public let why: String
    /// The item that the change names, as the list has it; `nil` if it has none.
    public let item: Item?
    /// The section that the change names, as the list has it, without its items; `nil` if it has
    /// none.
    public let section: ListTree.Section?
  }

  /// The outcome of an edit, or an end of its waiting.
  public enum Outcome: Hashable, Sendable {
    /// The server has taken the edit as it was: the list looked the same before and after.
    case acknowledged(Repository.PendingEdit)
    /// The server has taken the edit and made something else of it: the list has that now.
    case changed(Repository.PendingEdit)
    /// The server has refused the edit. It is taken out of the list and stays in the outbox.
    case rejected(Repository.PendingEdit)
    /// The edit does not fit the list any more. It is taken out of the list and stays in the outbox.
    ///
    /// That can also be an ordinary edit, made while another one waited for its answer.
    case conflicted(Repository.PendingEdit)

    /// The edit.
    public var edit: Repository.PendingEdit {
      switch self {
      case .acknowledged(let edit), .changed(let edit), .rejected(let edit), .conflicted(let edit):
        edit
      }
    }
  }

  /// The changes as the edit made them, their places next to neighbours.
  public var changes: [Change] { edited.map(\.change) }

  /// The changes as JSON: the `ops` of a line of a feed.
  ///
  /// A change with a place also has `was`, the index of its place when the edit was made. A server
  /// that does not have the neighbour any more may use it.
  public var operations: JSON { EditedChange.json(edited) }

  /// The line of a feed that acknowledges the edit as it is: what a server writes.
  ///
  /// - Parameter sequence: The line's `seq`.
  /// - Returns: One line, without a line feed.
  public func feedLine(sequence: Int) -> String {
    JSONWriter.object { writer in
      writer.member("t", "commit")
      writer.member("list", list.rawValue)
      writer.member("seq", String(sequence))
      if let time { writer.member("at", time) }
      writer.member("by", author.name)
      writer.member("edit", id)
      writer.member("ops", operations)
    }
  }
}
