public import ListModel

/// An item of the fields that most cells show, for lists that need no type of their own.
///
/// The app registers the cells, which conform to ``FieldCell``, and each item says which of them shows
/// it:
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
  /// What the cell says first.
  public var title: String?
  /// What it says below.
  public var subtitle: String?
  /// The name of an image of the app.
  public var imageName: String?
  /// Where an image is.
  public var imageURL: String?
  /// Further texts, by what they are.
  public var others: [String: String] = [:]
  /// Whether the user may not change it.
  public var isReadOnly = false
  /// What of the app's own it shows.
  public var model: ModelReference?
  /// Where a tap leads.
  public var url: String?
  /// What analytics call a tap.
  public var event: String?

  /// Something of the app's own, by its key: the app finds it, the store does not hold it.
  public struct ModelReference: Codable, Hashable, Sendable {
    /// What kind of thing it is.
    public var type: String
    /// Which one.
    public var key: String

    /// A reference.
    public init(type: String, key: String) {
      self.type = type
      self.key = key
    }
  }

  /// An item; the other fields can be set.
  public init(
    id: String, cell: CellName, title: String? = nil, subtitle: String? = nil,
    imageName: String? = nil
  ) {
    self.id = id
    cellName = cell
    self.title = title
    self.subtitle = subtitle
    self.imageName = imageName
  }

  /// None: those that items name are registered by the app.
  public static var cells: [CellName: ViewSource] { [:] }

  /// A URL and an event, if it has one of them.
  public var action: Action? {
    url == nil && event == nil ? nil : Action(url: url, event: event)
  }

  /// Has the cell show it.
  @MainActor public func configure(_ cell: any FieldCell) { cell.show(self) }
}

/// A cell that shows a ``FieldItem``.
@MainActor public protocol FieldCell: AnyObject {
  /// Shows all fields, also those that are empty: the cell may have shown another item before.
  func show(_ item: FieldItem)
}
