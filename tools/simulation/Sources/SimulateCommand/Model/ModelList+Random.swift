extension ModelList {
  /// One to three operations that fit, made at random.
  ///
  /// `name`: Of items and sections that are new; no two calls may give the same.
  func randomOperations(_ name: String, _ random: inout Randomness) -> [Operation] {
    var list = self
    var operations: [Operation] = []
    for number in 0..<(random.percent(70) ? 1 : 2 + random.below(2)) {
      let operation = list.randomOperation("\(name)\(number)", &random)
      guard (try? list.apply(operation)) != nil else { continue }
      operations.append(operation)
    }
    if random.percent(8), let section = random.one(of: list.sections), section.items.count > 3 {
      for operation in rearrangement(of: section, &random) {
        guard (try? list.apply(operation)) != nil else { continue }
        operations.append(operation)
      }
    }
    if random.percent(6), let section = random.one(of: list.sections) {
      // Some more at once.
      operations += (0..<(4 + random.below(20))).map { index in
        .insertItem(
          Item(
            id: "\(name)m\(index)", title: SearchWord.title(index, name), likes: index % 6,
            isWide: false), section: section.id, .end)
      }
    }
    return operations
  }

  /// Neighbours of a section deleted and moved in any order, and often the section itself.
  private func rearrangement(of section: Section, _ random: inout Randomness) -> [Operation] {
    let first = random.below(section.items.count - 2)
    let ids = section.items[first...].prefix(3 + random.below(5)).map(\.id)
    var operations: [Operation] = []
    for _ in 0..<(2 + random.below(6)) {
      let id = random.one(of: ids) ?? ""
      let others = section.items.map(\.id).filter { $0 != id }
      operations.append(
        random.percent(60)
          ? .deleteItem(id)
          : .moveItem(id, section: section.id, randomPlace(among: others, &random)))
    }
    if sections.count > 1, random.percent(60) {
      let others = sections.map(\.id).filter { $0 != section.id }
      operations.insert(
        .moveSection(section.id, randomPlace(among: others, &random)),
        at: random.below(operations.count + 1))
    }
    return operations
  }

  private func randomOperation(_ name: String, _ random: inout Randomness) -> Operation {
    let section = random.one(of: sections)
    let item = random.one(of: items)
    switch random.below(20) {
    case _ where section == nil, 0 where sections.count < 5:
      return .insertSection(
        "s\(name)" + Self.ending(&random), randomPlace(among: sections.map(\.id), &random))
    case 1 where sections.count > 1: return .deleteSection(section?.id ?? "")
    case 2 where sections.count > 1:
      let id = section?.id ?? ""
      return .moveSection(id, randomPlace(among: sections.map(\.id).filter { $0 != id }, &random))
    case 3..<6 where item != nil: return .deleteItem(item?.id ?? "")
    case 6..<10 where item != nil:
      let id = item?.id ?? ""
      let others = section?.items.map(\.id).filter { $0 != id } ?? []
      return .moveItem(id, section: section?.id, randomPlace(among: others, &random))
    case 10..<14 where item != nil:
      switch random.below(3) {
      case 0:
        let title = SearchWord.title(random.below(100), name)
        return .updateItem(item?.id ?? "", title: title, likes: nil, isWide: nil)
      case 1:
        return .updateItem(
          item?.id ?? "", title: nil, likes: random.below(9), isWide: nil)
      default:
        return .updateItem(
          item?.id ?? "", title: nil, likes: random.below(9), isWide: random.percent(50))
      }
    case 14 where item != nil: return .touchItem(item?.id ?? "")
    default:
      return .insertItem(
        Item(
          id: "i\(name)" + Self.ending(&random), title: SearchWord.title(random.below(100), name),
          likes: random.below(9), isWide: random.percent(20)),
        section: section?.id ?? "", randomPlace(among: section?.items.map(\.id) ?? [], &random))
    }
  }

  /// The end of a new id: some have what JSON, SQL and addresses must quote.
  private static func ending(_ random: inout Randomness) -> String {
    random.percent(5) ? random.one(of: ["\"", "\\", "'&%", "\u{1F4DA}é\n"]) ?? "" : ""
  }

  private func randomPlace(among ids: [String], _ random: inout Randomness) -> Place {
    switch random.below(5) {
    case 0: return .start
    case 1: return .end
    case 2: return .index(random.below(ids.count + 1))
    case 3: return random.one(of: ids).map { .after($0) } ?? .end
    default: return random.one(of: ids).map { .before($0) } ?? .start
    }
  }
}
