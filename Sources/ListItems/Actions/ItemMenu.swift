/// The context menu of an item, as data.
///
/// An adapter turns it into the platform's menu.
public struct ItemMenu: Hashable, Sendable {
  /// The title above the entries; none if it is empty.
  public var title: String
  /// The entries, from top to bottom.
  public var actions: [Entry]

  /// A menu.
  public init(title: String = "", _ actions: [Entry]) {
    self.title = title
    self.actions = actions
  }

  /// One entry of a menu.
  public struct Entry: Hashable, Sendable {
    /// The text of the entry.
    public var title: String
    /// The event that choosing the entry causes.
    public var event: ItemEvent
    /// Whether the entry is shown as destructive.
    public var isDestructive: Bool
    /// Whether the entry can be chosen.
    public var isEnabled: Bool

    /// An entry.
    public init(
      _ title: String, _ event: ItemEvent, isDestructive: Bool = false, isEnabled: Bool = true
    ) {
      self.title = title
      self.event = event
      self.isDestructive = isDestructive
      self.isEnabled = isEnabled
    }
  }
}
