public import ListModel

/// An item with the fields that most cells show, for lists that need no item type of their own.
///
/// The app registers cells that conform to ``FieldCell``; each item names its cell:
///
/// ```swift
/// views.register("SettingCell", .type(SettingCell.self))
/// FieldItem(id: "language", cell: "SettingCell", title: "Language", subtitle: "English")
/// ```
public struct FieldItem: ListItem, Hashable {
  /// Unique among all items of the list.
  public var id: String
  /// The name of the cell that shows it.
  public var cellName: CellName
  /// The first line of the cell.
  public var title: String?
  /// The second line of the cell.
  public var subtitle: String?
  /// The name of an image of the app.
  public var imageName: String?
  /// The URL of an image.
  public var imageURL: String?
  /// Further texts, by names of the app's choice.
  public var others: [String: String]
  /// Whether the user may not change it.
  public var isReadOnly: Bool
  /// The width of the cell, in points; `nil`: as broad as the list, or measured in one that scrolls
  /// horizontally.
  public var width: Double?
  /// The height of the cell, in points; `nil`: measured, or as high as the list in one that scrolls
  /// horizontally.
  public var height: Double?
  /// The object of the app that the item shows.
  public var model: ModelReference?
  /// The URL that a tap opens.
  public var url: String?
  /// The name of a tap in analytics.
  public var event: String?
  /// What the controls of the cell lead to, by the names of the controls.
  public var actions: [String: Action] {
    get { storedActions ?? [:] }
    set { storedActions = newValue.isEmpty ? nil : newValue }
  }
  /// `nil` for none: then the content has no such member, as it may come from elsewhere.
  private var storedActions: [String: Action]?

  private enum CodingKeys: String, CodingKey {
    case id, cellName, title, subtitle, imageName, imageURL, others, isReadOnly, width, height
    case model, url, event
    case storedActions = "actions"
  }

  /// A reference to an object of the app, which the store does not hold.
  public struct ModelReference: Codable, Hashable, Sendable {
    /// The kind of object.
    public var type: String
    /// The object's key.
    public var key: String

    /// A reference.
    public init(type: String, key: String) {
      self.type = type
      self.key = key
    }
  }

  /// An item.
  public init(
    id: String, cell: CellName, title: String? = nil, subtitle: String? = nil,
    imageName: String? = nil, imageURL: String? = nil, others: [String: String] = [:],
    isReadOnly: Bool = false, width: Double? = nil, height: Double? = nil,
    model: ModelReference? = nil, url: String? = nil, event: String? = nil,
    actions: [String: Action] = [:]
  ) {
    self.id = id
    cellName = cell
    self.title = title
    self.subtitle = subtitle
    self.imageName = imageName
    self.imageURL = imageURL
    self.others = others
    self.isReadOnly = isReadOnly
    self.width = width
    self.height = height
    self.model = model
    self.url = url
    self.event = event
    self.actions = actions
  }

  /// No cells: the app registers those that items name.
  public static var cells: [CellName: ViewSource] { [:] }

  /// The URL and the event; `nil` if there are neither.
  public var action: Action? {
    url == nil && event == nil ? nil : Action(url: url, event: event)
  }

  /// ``action`` for a tap, one of ``actions`` for the use of a control.
  public func action(for event: ItemEvent) -> Action? {
    event == .select ? action : event.control.flatMap { actions[$0] }
  }

  /// The item's width and height; `nil` if it lacks the one along which the list scrolls.
  public func size(fitting room: Item.Room) -> Size? {
    switch room.axis {
    case .vertical: height.map { Size(width: width ?? room.length, height: $0) }
    case .horizontal: width.map { Size(width: $0, height: height ?? room.length) }
    }
  }

  /// Shows the item in a cell.
  @MainActor public func configure(_ cell: any FieldCell) { cell.show(self) }
}

/// A cell that shows a ``FieldItem``.
@MainActor public protocol FieldCell: AnyObject {
  /// Shows all fields, empty ones too: the cell may have shown another item before.
  func show(_ item: FieldItem)
}
