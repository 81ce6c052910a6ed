import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

// For the reader of the article on a generic data source: each item's class decides on the class of
// its cell, in a table. A person's row has a height of its own, a note's comes from Auto Layout.

final class PersonCell: UITableViewCell {
  let name = UILabel()
  var onCall: (() -> Void)?
}

final class NoteCell: UITableViewCell {
  let label = UILabel()

  override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
    super.init(style: style, reuseIdentifier: reuseIdentifier)
    label.translatesAutoresizingMaskIntoConstraints = false
    contentView.addSubview(label)
    NSLayoutConstraint.activate([
      label.topAnchor.constraint(equalTo: contentView.topAnchor, constant: 8),
      label.bottomAnchor.constraint(equalTo: contentView.bottomAnchor, constant: -8),
      label.leadingAnchor.constraint(equalTo: contentView.leadingAnchor),
      label.trailingAnchor.constraint(equalTo: contentView.trailingAnchor),
    ])
  }

  required init?(coder: NSCoder) { nil }
}

final class GroupView: UITableViewHeaderFooterView {
  let label = UILabel()
}

// Program: begin
struct Person: ListItem {
  var id: String, name: String, calls = 0
  func configure(_ cell: PersonCell) { cell.name.text = calls == 0 ? name : "\(name) (\(calls))" }
  func bind(_ cell: PersonCell, send: @escaping @MainActor (ControlEvent) -> Void) {
    cell.onCall = { send("call") }
  }
  func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 60) }
}

struct ContactNote: ListItem {
  var id: String, text: String
  func configure(_ cell: NoteCell) { cell.label.text = text }
}

struct GroupTitle: ListSupplementary {
  var title: String
  func configure(_ view: GroupView) { view.label.text = title }
  func size(fitting room: Supplementary.Room) -> Size? { Size(width: room.length, height: 28) }
}

final class ContactsController: UIViewController {
  let contacts: LiveList
  let table = UITableView(frame: .zero, style: .plain)
  let adapter: TableAdapter
  var opened: [String] = []

  init(_ file: URL) throws {
    contacts = try Repository(at: file).liveList(
      "contacts", items: [Person.self, ContactNote.self], supplementaries: [GroupTitle.self])
    adapter = try TableAdapter(contacts, in: table)
    super.init(nibName: nil, bundle: nil)
    adapter.handlers.on(.select, of: Person.self) { [weak self] person, _ in
      self?.opened.append(person.id)
    }
    adapter.handlers.on(.control("call"), of: Person.self) { [weak self] _, context in
      do { try self?.call(context.id) } catch { print(error) }
    }
    try contacts.edit { list in
      try list.insertSectionIfMissing(
        ListSection("friends", header: try Supplementary(GroupTitle(title: "Friends"))) {
          for name in ["Ada", "Grace", "Joan", "Mary"] { Person(id: name, name: name) }
          ContactNote(id: "note", text: "Four friends")
        })
    }
  }

  // Program: end
  required init?(coder: NSCoder) { nil }
  override func loadView() { view = table }

  // Program: begin
  func call(_ id: ItemID) throws {
    try contacts.edit { try $0.update(id, as: Person.self) { $0.calls += 1 } }
  }

  func change() throws {
    try contacts.edit { list in
      try list.insert(Person(id: "Emmy", name: "Emmy"), at: IndexPath(item: 1, section: 0))
      try list.move("Ada", to: .end)
      try list.update("Grace", as: Person.self) { $0.name = "Grace H." }
      try list.delete("Joan")
      try list.delete(at: IndexPath(item: 2, section: 0))
    }
  }
}
// Program: end
