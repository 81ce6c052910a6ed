import ListModel
import ListTables

/// The values of a store with their texts replaced.
///
/// Whatever has no place in these values is not in the new store.
struct RedactedValues {
  private let options: StoreRedaction.Options
  private let pseudonyms: Pseudonyms
  private let filler: JSONFiller

  /// The authors that the library itself names.
  private static let libraryAuthors: Set<String> = ["app", "feed", "unknown", "recovered"]
  private static let millisecondsADay = 86_400_000

  init(_ options: StoreRedaction.Options, _ pseudonyms: Pseudonyms) {
    self.options = options
    self.pseudonyms = pseudonyms
    filler = JSONFiller(memberName: options.keepsMembers ? nil : pseudonyms.name)
  }

  // MARK: Texts

  func id<Tag>(_ id: Identifier<Tag>) throws -> Identifier<Tag> {
    // One that was erased is a pseudonym already, and is told as such.
    try id.isErased ? id : Identifier(pseudonym(id.rawValue))
  }

  /// A name of the app's code.
  func name<Tag>(_ name: Identifier<Tag>) throws -> Identifier<Tag> {
    options.keepsNames ? name : try id(name)
  }

  /// A name of the app's code, or nothing.
  func name(_ name: String) -> String {
    options.keepsNames || name.isEmpty ? name : pseudonym(name)
  }

  func pseudonym(_ text: String) -> String { pseudonyms.name(for: text) }

  func author(_ name: String) throws -> Author {
    try Author(Self.libraryAuthors.contains(name) ? name : pseudonym(name))
  }

  /// In milliseconds since 1970.
  func time(_ time: Int) -> Int { options.keepsTimes ? time : time - time % Self.millisecondsADay }

  func content(_ json: JSON) -> JSON { filler.fill(json) }

  // MARK: Parts of a list

  /// A name that the library puts a version behind.
  func type(_ type: TypeName) throws -> TypeName {
    guard let (base, version) = type.nameAndVersion else { return try name(type) }
    return try name(base).stored(version: version)
  }

  /// A kind of views; those of the library stay, and numbers behind others.
  func kind(_ kind: Supplementary.Kind) throws -> Supplementary.Kind {
    let (number, base) = kind.numberAndBase
    if [.header, .footer].contains(base) { return kind }
    return number == 0 ? try name(base) : try Supplementary.Kind("\(name(base))[\(number)]")
  }

  func action(_ action: Action) -> Action {
    Action(
      url: action.url.map(filler.fill), event: action.event.map(name),
      attrs: action.attrs.map(filler.fill))
  }

  func state(_ state: ItemState) throws -> ItemState {
    ItemState(
      cell: try name(state.cell), content: content(state.content), type: try state.type.map(type),
      action: state.action.map(action), contentRevision: state.contentRevision)
  }

  func item(_ item: Item) throws -> Item {
    Item(id: try id(item.id), state: try state(item.state))
  }

  func view(_ view: Supplementary) throws -> Supplementary {
    Supplementary(view: try name(view.view), content: content(view.content))
  }

  func views(
    _ views: [Supplementary.Kind: Supplementary]
  ) throws -> [Supplementary.Kind: Supplementary] {
    try views.reduce(into: [:]) { $0[try kind($1.key)] = try view($1.value) }
  }

  func decoration(_ decoration: Decoration) throws -> Decoration {
    var decoration = decoration
    decoration.view = try name(decoration.view)
    decoration.content = content(decoration.content)
    return decoration
  }

  func attributes(_ attributes: SectionAttributes) throws -> SectionAttributes {
    SectionAttributes(
      layout: attributes.layout, header: try attributes.header.map(view),
      footer: try attributes.footer.map(view), meta: attributes.meta.map(content),
      visibility: attributes.visibility, supplementaries: try views(attributes.supplementaries),
      decorations: try attributes.decorations.map(decoration))
  }

  func section(_ section: ListTree.Section) throws -> ListTree.Section {
    ListTree.Section(
      id: try id(section.id), attributes: try attributes(section.attributes),
      items: try section.items.map(item))
  }

  // MARK: The log

  func entry(_ entry: LogEntry) throws -> LogEntry {
    switch entry {
    case .updateList(let before, let after):
      .updateList(before: before.map(content), after: after.map(content))
    case .insertSection(let section, let attributes, let index):
      .insertSection(try id(section), try self.attributes(attributes), at: index)
    case .deleteSection(let section, let index):
      .deleteSection(try self.section(section), at: index)
    case .moveSection(let section, let from, let to):
      .moveSection(try id(section), from: from, to: to)
    case .updateSection(let section, let index, let before, let after):
      .updateSection(
        try id(section), at: index, before: try attributes(before), after: try attributes(after))
    case .insertItem(let item, let path): .insertItem(try self.item(item), at: path)
    case .deleteItem(let item, let path): .deleteItem(try self.item(item), at: path)
    case .moveItem(let item, let from, let to): .moveItem(try id(item), from: from, to: to)
    case .updateItem(let item, let path, let before, let after):
      .updateItem(try id(item), at: path, before: try state(before), after: try state(after))
    case .touchItem(let item, let path): .touchItem(try id(item), at: path)
    }
  }

  // MARK: Edits

  func edit(_ edit: EditRow) throws -> EditRow {
    EditRow(
      name: pseudonym(edit.name), author: try author(edit.author.name), time: edit.time.map(time),
      state: edit.state,
      changes: try edit.changes.map { EditedChange(try change($0.change), index: $0.index) },
      undo: try edit.undo?.map(change), why: edit.why.map(filler.fill),
      found: try edit.found.map(found))
  }

  /// What a list has of that which a change names.
  private func found(_ found: JSON) throws -> JSON {
    let object = try JSONNode(parsing: Array(found.text.utf8), maximumDepth: 40).object()
    let change = try object.optional("change", as: Int.self)
    let item = try object.optional("item", as: Item.self).map(self.item)
    let section = try object.optional("section", as: ListTree.Section.self).map(self.section)
    return JSON(
      minified: JSONWriter.object { writer in
        if let change { writer.member("change", change) }
        if let item { writer.member("item") { item.write(to: &$0) } }
        if let section { writer.member("section") { section.write(to: &$0) } }
      })
  }

  private func change(_ change: Change) throws -> Change {
    switch change {
    case .updateList(let meta): .updateList(meta: meta.map(content))
    case .insertSection(let section, let attributes, let place):
      .insertSection(try id(section), try self.attributes(attributes), at: try self.place(place))
    case .deleteSection(let section): .deleteSection(try id(section))
    case .moveSection(let section, let place):
      .moveSection(try id(section), to: try self.place(place))
    case .updateSection(let section, let update):
      .updateSection(try id(section), try self.update(update))
    case .insertItem(let item, let section, let place):
      .insertItem(try self.item(item), in: try id(section), at: try self.place(place))
    case .deleteItem(let item): .deleteItem(try id(item))
    case .moveItem(let item, let section, let place):
      .moveItem(try id(item), in: try section.map(id), to: try self.place(place))
    case .updateItem(let item, let update):
      .updateItem(
        try id(item),
        ItemUpdate(
          cell: try update.cell.map(name), content: update.content.map(content),
          type: try update.type.map { try $0.map(type) },
          action: update.action.map { $0.map(action) }
        ))
    case .touchItem(let item): .touchItem(try id(item))
    }
  }

  private func update(_ update: SectionUpdate) throws -> SectionUpdate {
    SectionUpdate(
      layout: update.layout, header: try update.header.map { try $0.map(view) },
      footer: try update.footer.map { try $0.map(view) }, meta: update.meta.map { $0.map(content) },
      visibility: update.visibility, supplementaries: try update.supplementaries.map(views),
      decorations: try update.decorations.map { try $0.map(decoration) })
  }

  private func place<Tag>(_ place: Place<Identifier<Tag>>) throws -> Place<Identifier<Tag>> {
    switch place {
    case .start, .end, .index: place
    case .after(let anchor): .after(try id(anchor))
    case .before(let anchor): .before(try id(anchor))
    }
  }
}

extension FieldUpdate {
  fileprivate func map(_ change: (Value) throws -> Value) rethrows -> FieldUpdate {
    switch self {
    case .unchanged: .unchanged
    case .set(let value): .set(try change(value))
    }
  }
}
