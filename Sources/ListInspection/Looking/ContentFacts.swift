package import ListModel
import StoreFiles

extension Inspection {
  /// How much is told of contents, actions and other data of the app.
  public enum ContentDetail: String, Codable, Sendable, CaseIterable {
    /// The length, and a hash by which contents can be compared.
    case hash
    /// The text itself, too.
    case full
    /// Nothing.
    case none
  }

  /// Some JSON of the app: a content, an action, or data of a section.
  ///
  /// Its JSON is an output format: names and meanings stay.
  public struct ContentFacts: Codable, Hashable, Sendable {
    /// The length of the text, in bytes.
    public var byteCount: Int
    /// The first 8 hexadecimal digits of the SHA-256 of the text.
    public var hash: String
    /// The text as it is stored; absent unless it was asked for.
    public var text: String?

    /// - Returns: `nil` if nothing is to be told.
    init?(_ text: String, _ detail: ContentDetail) {
      guard detail != .none else { return nil }
      byteCount = text.utf8.count
      hash = String(Digest.sha256Hexadecimal(Array(text.utf8)).prefix(8))
      self.text = detail == .full ? text : nil
    }
  }

  /// The part of an item that the app has given.
  ///
  /// Its JSON is an output format: names and meanings stay.
  public struct StateFacts: Codable, Hashable, Sendable {
    /// The name of its cell.
    public var cell: String
    /// The name of the type that its content decodes to; absent if the cell determines it.
    public var type: String?
    /// How often the state has changed since the item was inserted.
    public var contentRevision: Int
    /// Its content; absent if contents are not told.
    public var content: ContentFacts?
    /// Its action; absent if it has none, or contents are not told.
    public var action: ContentFacts?
    /// What it says as a gap; absent for another item.
    public var gap: GapFacts?

    /// The state of an item, with as much of its contents as is told.
    package init(_ state: ItemState, _ detail: ContentDetail) {
      cell = state.cell.rawValue
      type = state.type?.rawValue
      contentRevision = state.contentRevision
      content = ContentFacts(state.content.text, detail)
      action = state.action.flatMap { action in
        var writer = JSONWriter()
        action.write(to: &writer)
        return ContentFacts(writer.text, detail)
      }
      gap = GapFacts(cell: cell, content: state.content.text, detail)
    }
  }
}

extension Inspection.ContentFacts {
  /// The attributes of a section as an object.
  ///
  /// - Returns: `nil` if there are none, or nothing is to be told.
  init?(_ attributes: SectionAttributes, _ detail: Inspection.ContentDetail) {
    guard attributes != SectionAttributes() else { return nil }
    self.init(JSONWriter.object { writer in attributes.writeMembers(to: &writer) }, detail)
  }
}
