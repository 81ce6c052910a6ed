/// A list as arrays in an array: what a list must be, found without the code that is checked.
struct ModelList: Equatable {
  struct Section: Equatable {
    var id: String
    var items: [Item] = []
  }

  struct Item: Equatable {
    var id: String
    var title: String
    var likes: Int
    var isWide: Bool
  }

  var sections: [Section] = []

  /// Where something goes among its neighbours.
  enum Place: Equatable {
    case start, end
    case after(String)
    case before(String)
    case index(Int)
  }

  /// A change; all changes of the model are these.
  enum Operation: Equatable {
    case insertSection(String, Place)
    case deleteSection(String)
    case moveSection(String, Place)
    case insertItem(Item, section: String, Place)
    case deleteItem(String)
    case moveItem(String, section: String?, Place)
    /// `nil` leaves what it stands for as it is.
    case updateItem(String, title: String?, likes: Int?, isWide: Bool?)
    case touchItem(String)
  }

  /// Why an operation does not fit a list.
  struct Misfit: Error {
    var why: String
  }

  var items: [Item] { sections.flatMap(\.items) }

  /// One line for each section.
  var text: String {
    sections.map { section in
      "\(section.id): "
        + section.items.map { "\($0.id)=\($0.title)/\($0.likes)\($0.isWide ? "w" : "")" }
        .joined(separator: " ")
    }.joined(separator: "\n")
  }

  func place(of item: String) -> (section: Int, item: Int)? {
    for (index, section) in sections.enumerated() {
      if let place = section.items.firstIndex(where: { $0.id == item }) { return (index, place) }
    }
    return nil
  }

  private func index(of section: String) throws -> Int {
    guard let index = sections.firstIndex(where: { $0.id == section }) else {
      throw Misfit(why: "no section \(section)")
    }
    return index
  }

  private static func index(_ place: Place, in ids: [String]) throws -> Int {
    switch place {
    case .start: return 0
    case .end: return ids.count
    case .index(let index):
      if (0...ids.count).contains(index) { return index }
      throw Misfit(why: "no index \(index)")
    case .after(let id), .before(let id):
      guard let index = ids.firstIndex(of: id) else { throw Misfit(why: "no neighbour \(id)") }
      if case .after = place { return index + 1 }
      return index
    }
  }

  /// Applies an operation, or leaves the list as it is.
  mutating func apply(_ operation: Operation) throws {
    switch operation {
    case .insertSection(let id, let place):
      if sections.contains(where: { $0.id == id }) { throw Misfit(why: "section \(id) is there") }
      sections.insert(Section(id: id), at: try Self.index(place, in: sections.map(\.id)))
    case .deleteSection(let id): sections.remove(at: try index(of: id))
    case .moveSection(let id, let place):
      let old = try index(of: id)
      let others = sections.map(\.id).filter { $0 != id }
      let new = try Self.index(place, in: others)
      let section = sections.remove(at: old)
      sections.insert(section, at: new)
    case .insertItem(let item, let section, let place):
      if self.place(of: item.id) != nil { throw Misfit(why: "item \(item.id) is there") }
      let index = try index(of: section)
      let new = try Self.index(place, in: sections[index].items.map(\.id))
      sections[index].items.insert(item, at: new)
    case .deleteItem(let id):
      let old = try found(id)
      sections[old.section].items.remove(at: old.item)
    case .moveItem(let id, let section, let place):
      let old = try found(id)
      let target = try section.map { try index(of: $0) } ?? old.section
      let others = sections[target].items.map(\.id).filter { $0 != id }
      let new = try Self.index(place, in: others)
      let item = sections[old.section].items.remove(at: old.item)
      sections[target].items.insert(item, at: new)
    case .updateItem(let id, let title, let likes, let isWide):
      let old = try found(id)
      var item = sections[old.section].items[old.item]
      if let title { item.title = title }
      if let likes { item.likes = likes }
      if let isWide { item.isWide = isWide }
      sections[old.section].items[old.item] = item
    case .touchItem(let id): _ = try found(id)
    }
  }

  private func found(_ item: String) throws -> (section: Int, item: Int) {
    guard let place = place(of: item) else { throw Misfit(why: "no item \(item)") }
    return place
  }
}
