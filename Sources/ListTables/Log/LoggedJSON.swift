package import ListModel

/// A log entry in the form in which versions 1 to 6 of the schema logged it.
///
/// Chain hashes of commits that those versions wrote are of this form. It is made anew from the
/// entry, byte for byte.
package struct LoggedJSON {
  /// The name of its operation.
  package private(set) var operation: String
  /// The section that it names.
  package private(set) var section: String?
  /// The item that it names.
  package private(set) var item: String?
  /// The place before: section and item.
  package private(set) var from: (section: Int?, item: Int?) = (nil, nil)
  /// The place after.
  package private(set) var to: (section: Int?, item: Int?) = (nil, nil)
  /// The state before: JSON, in UTF-8.
  package private(set) var before: [UInt8]?
  /// The state after, likewise.
  package private(set) var after: [UInt8]?

  /// The form of an entry.
  package init(_ entry: LogEntry) {
    switch entry {
    case .updateList(let old, let new):
      self.init("updateList")
      before = old.map { Array($0.text.utf8) }
      after = new.map { Array($0.text.utf8) }
    case .insertSection(let id, let attributes, let index):
      self.init("insertSection", id)
      to = (index, nil)
      after = attributes.json
    case .deleteSection(let deleted, let index):
      self.init("deleteSection", deleted.id)
      from = (index, nil)
      before = deleted.logJSON
    case .moveSection(let id, let source, let target):
      self.init("moveSection", id)
      from = (source, nil)
      to = (target, nil)
    case .updateSection(let id, let index, let old, let new):
      self.init("updateSection", id)
      from = (index, nil)
      before = old.json
      after = new.json
    case .insertItem(let inserted, let path):
      self.init("insertItem", inserted.id)
      to = (path.section, path.item)
      after = inserted.state.json
    case .deleteItem(let deleted, let path):
      self.init("deleteItem", deleted.id)
      from = (path.section, path.item)
      before = deleted.state.json
    case .moveItem(let id, let source, let target):
      self.init("moveItem", id)
      from = (source.section, source.item)
      to = (target.section, target.item)
    case .updateItem(let id, let path, let old, let new):
      self.init("updateItem", id)
      from = (path.section, path.item)
      before = old.json
      after = new.json
    case .touchItem(let id, let path):
      self.init("touchItem", id)
      from = (path.section, path.item)
    }
  }

  private init(_ operation: String) { self.operation = operation }

  private init(_ operation: String, _ section: SectionID) {
    self.init(operation)
    self.section = section.rawValue
  }

  private init(_ operation: String, _ item: ItemID) {
    self.init(operation)
    self.item = item.rawValue
  }
}

extension SectionAttributes {
  fileprivate var json: [UInt8] { JSONWriter.utf8(ofObject: writeMembers) }
}

extension ItemState {
  fileprivate var json: [UInt8] { JSONWriter.utf8(ofObject: writeLogMembers) }

  fileprivate func writeLogMembers(to writer: inout JSONWriter) {
    writeMembers(to: &writer)
    writer.member("contentRevision", contentRevision)
  }
}

extension ListTree.Section {
  fileprivate var logJSON: [UInt8] {
    JSONWriter.utf8 { writer in
      attributes.writeMembers(to: &writer)
      writer.member("items", array: items) { writer, item in
        writer.object { writer in
          writer.member("id", item.id.rawValue)
          item.state.writeLogMembers(to: &writer)
        }
      }
    }
  }
}
