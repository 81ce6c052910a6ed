import BatchUpdates
import ListModel

/// Trees: what is written is read again as the same tree, and a batch update between two of them is
/// proven, and leads from one to the other.
func fuzzTrees(_ bytes: [UInt8]) {
  let trees = bytes.split(separator: UInt8(ascii: "\n")).prefix(2).compactMap { text in
    attempt("tree") { try ListTree(parsing: Array(text)) }
  }
  for tree in trees {
    let again = requireSuccess("what was written is no tree") {
      try ListTree(parsing: Array(tree.json().utf8))
    }
    require(again == tree, "read otherwise when written: \(tree.json())")
    _ = StateDigest(tree)
  }
  guard let old = trees.first, let new = trees.last else { return }
  for hides in [false, true] {
    let update = BatchUpdate(from: old, to: new, hidesSections: hides)
    check(
      update, from: hides ? shown(old) : old.sections, to: hides ? shown(new) : new.sections)
    let back = BatchUpdate(from: new, to: new, hidesSections: hides)
    if case .none = back.mode { continue }
    wrong("an update from a list to itself is \(back.json)")
  }
}

private func shown(_ tree: ListTree) -> [ListTree.Section] {
  tree.sections.filter { $0.attributes.visibility != .hidden }
}

/// Applies an update one operation after another, to the ids alone.
private func check(
  _ update: BatchUpdate, from old: [ListTree.Section], to new: [ListTree.Section]
) {
  switch update.mode {
  case .reload(let why): wrong("a reload, because \(why)")
  case .none: require(old.map(\.id) == new.map(\.id), "nothing is done, and sections differ")
  case .batch(let stages):
    var counts = SectionCounts(old.map(\.items.count))
    for stage in stages {
      let verdict = LegalityCheck.verdict(of: stage, before: counts, after: stage.counts)
      require(verdict.outcome == .ok, "a stage is not legal: \(verdict.message)")
      counts = stage.counts
    }
  }
  var rows = old.map { $0.items.map { Optional($0.id) } }
  for operation in update.sequentialOperations { rows.apply(operation) }
  require(rows.count == new.count, "\(rows.count) sections, not \(new.count)")
  for (found, section) in zip(rows, new) {
    require(found.count == section.items.count, "\(found.count) items in \(section.id)")
    for (id, item) in zip(found, section.items) where id != nil {
      require(id == item.id, "\(id?.rawValue ?? "") is where \(item.id) belongs")
    }
  }
}

extension [[ItemID?]] {
  /// Does what the documentation of `SequentialOperation` says.
  fileprivate mutating func apply(_ operation: SequentialOperation) {
    switch operation {
    case .deleteItem(let path): self[path.section].remove(at: path.item)
    case .insertItem(let path): self[path.section].insert(nil, at: path.item)
    case .moveItem(let from, let to):
      let row = self[from.section].remove(at: from.item)
      self[to.section].insert(row, at: to.item)
    case .deleteSection(let index): remove(at: index)
    case .insertSection(let index, let itemCount):
      insert(Array<ItemID?>(repeating: nil, count: itemCount), at: index)
    case .moveSection(let from, let to):
      let section = remove(at: from)
      insert(section, at: to)
    case .reloadItem(let path), .reconfigureItem(let path): self[path.section][path.item] = nil
    case .updateSection: break
    }
  }
}

/// Batch updates that somebody asks about: a verdict on any numbers, the same for what was written,
/// and nothing traps that is made of them.
func fuzzBatches(_ bytes: [UInt8]) {
  _ = attempt("batch") {
    let object = try JSONNode(parsing: bytes).object()
    let before: [Int] = try object.required("before")
    let after: [Int] = try object.required("after")
    // As the command refuses them: a count is at least 0.
    guard (before + after).allSatisfy({ $0 >= 0 }) else { return }
    let node = try object.required("stage").object()
    let reloads: [Int] = try node.optional("reloadSections") ?? []
    let stage = try Stage(node)
    func verdict(_ stage: Stage) -> LegalityVerdict {
      LegalityCheck.verdict(
        of: stage, reloadingSections: reloads, before: SectionCounts(before),
        after: SectionCounts(after))
    }
    let first = verdict(stage)
    var writer = JSONWriter()
    stage.write(to: &writer)
    let again = requireSuccess("what was written is no stage") {
      try Stage(JSONNode(parsing: Array(writer.take().utf8)).object())
    }
    require(again == stage, "a stage is read otherwise when written")
    require(verdict(again) == first, "another verdict the second time")
    var legal = stage
    legal.counts = SectionCounts(after)
    _ = legal.sequentialOperations
    // Of counts that a list can have.
    guard first.outcome == .ok, reloads.isEmpty, (before + after).allSatisfy({ $0 < 1_000 }) else {
      return
    }
    for extent in [UpdatePolicy.Proof.touched, .everything] {
      _ = IdentityCheck(of: [legal], before: SectionCounts(before), extent: extent)
    }
  }
}
