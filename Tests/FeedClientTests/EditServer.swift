import FeedClient
import Foundation
import ListModel
import ListStore
import ListSync

/// A server that takes the edits of one list, as the article says that one must.
///
/// A store of its own says whether an edit fits.
struct EditServer {
  private(set) var feed = FeedServer()
  let list: ListID
  private let repository: Repository
  /// The ids of the edits in the feed.
  private(set) var taken: [String] = []
  /// Those that were refused, with the reasons.
  private(set) var refused: [String: String] = [:]

  struct Answer {
    var status: Int
    var body: String
  }

  init(list: ListID, in repository: Repository) {
    self.list = list
    self.repository = repository
  }

  var tree: ListTree {
    get throws { try repository.tree(of: list) }
  }

  /// Changes the list.
  mutating func commit(_ operations: String) throws {
    let time = feed.lines.count + 1
    try append("\"list\":\"\(list)\",\"at\":\(time),\"by\":\"server\",\"ops\":[\(operations)]}")
  }

  /// Takes the body of a request: makes the edit once, however often it comes.
  ///
  /// `why`: Refuses a new edit for this reason.
  /// `more`: Operations that the server makes after those of a new edit.
  mutating func take(
    _ body: Data, refusing why: String? = nil, adding more: String? = nil
  ) throws -> Answer {
    var text = String(decoding: body, as: UTF8.self)
    let edit = try JSONNode(parsing: Array(body)).object().required("edit").string()
    if let why { refused[edit] = taken.contains(edit) ? nil : refused[edit] ?? why }
    if !taken.contains(edit), refused[edit] == nil {
      if let more { text = text.dropLast(2) + "," + more + "]}" }
      do {
        try append(String(text.dropFirst()))
        taken.append(edit)
      } catch let error as StoreError {
        refused[edit] = error.message
      }
    }
    guard let why = refused[edit] else {
      return Answer(status: 200, body: "{\"edit\":\"\(edit)\"}")
    }
    let reason = JSONWriter.quoted(why)
    return Answer(status: 409, body: "{\"edit\":\"\(edit)\",\"why\":\(reason)}")
  }

  /// Appends a line.
  ///
  /// `members`: All but `t` and `seq`, with the end of the line.
  private mutating func append(_ members: String) throws {
    let sequence = feed.lines.count + 1
    let line = FeedServer.Line(
      list: list.rawValue, sequence: sequence,
      text: "{\"t\":\"commit\",\"seq\":\"\(sequence)\"," + members)
    var run = FeedRun(
      into: repository, from: FeedSource(nil, shownAs: "edits", lists: .all))
    run.lines.append(contentsOf: (line.text + "\n").utf8)
    try run.applyLines { _ in }
    try run.finish()
    feed.lines.append(line)
  }
}

extension FeedClient.Response {
  static func answer(_ answer: EditServer.Answer, isCut: Bool = false) -> Self {
    let body = isCut ? String(answer.body.dropLast()) : answer.body
    return Self(
      answer.status, ["Content-Type": "application/json"], parts: [Data(body.utf8)], isCut: isCut)
  }
}
