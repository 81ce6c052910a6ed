/// What a user is offered for an item that is pressed long: data, from which an adapter makes the
/// platform's menu.
public struct ItemMenu: Hashable, Sendable {
  /// What is written above; nothing where empty.
  public var title: String
  /// What can be chosen, from the first to the last.
  public var actions: [Entry]

  /// A menu.
  public init(title: String = "", _ actions: [Entry]) {
    self.title = title
    self.actions = actions
  }

  /// One line of a menu.
  public struct Entry: Hashable, Sendable {
    /// What the user reads.
    public var title: String
    /// What happens to the item when it is chosen.
    public var event: ItemEvent
    /// Whether it is shown as something that can't be undone.
    public var isDestructive: Bool
    /// Whether it can be chosen.
    public var isEnabled: Bool

    /// A line that causes an event.
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
