import GRDB
package import ListModel

// The attributes of a section: columns of `section`, and rows of `supplementary` and `decoration`.

extension ListRows {
  /// The attributes of a section, by its row.
  package func attributes(of section: Int) throws -> SectionAttributes {
    try statements.attributes(ofSection: section)
  }

  /// The sections that have a visibility other than shown.
  ///
  /// One query, which uses an index of these sections only.
  package func visibilities() throws -> [SectionID: SectionAttributes.Visibility] {
    var visibilities: [SectionID: SectionAttributes.Visibility] = [:]
    try statements(
      "SELECT name, visibility FROM section WHERE list = ? AND visibility <> 'shown'"
    ).forEach(id) { row in
      visibilities[try SectionID(row.text(0))] = try row.name(1)
    }
    return visibilities
  }

  /// Writes the rows of a section's headers, footers, other views and decorations.
  func setViews(
    ofSection section: Int, from before: SectionAttributes, to after: SectionAttributes
  ) throws {
    for kind in before.supplementaryKinds where after[kind] == nil {
      guard let id = try supplementaryRow(kind, inSection: section) else { continue }
      try statements("DELETE FROM measuredSize WHERE owner = ?").run(id)
      try statements("DELETE FROM supplementary WHERE section = ? AND kind = ?")
        .run(section, kind.rawValue)
    }
    for kind in after.supplementaryKinds where before[kind] != after[kind] {
      guard let view = after[kind] else { continue }
      // It keeps its id: sizes of an earlier content are still useful as estimates.
      if before[kind] != nil {
        try statements(
          "UPDATE supplementary SET view = ?, content = ? WHERE section = ? AND kind = ?"
        ).run(view.view.rawValue, view.content.text, section, kind.rawValue)
      } else {
        try statements(
          "INSERT INTO supplementary (section, kind, id, view, content) VALUES (?, ?, ?, ?, ?)"
        ).run(
          section, kind.rawValue, try statements.newRowID(), view.view.rawValue, view.content.text)
      }
    }
    if before.decorations != after.decorations {
      try set(after.decorations, ofSection: section, replacing: before.decorations.count)
    }
  }

  /// The id of a section's view, which its sizes name; `nil` if there is none.
  package func supplementaryRow(_ kind: Supplementary.Kind, inSection section: Int) throws -> Int? {
    try statements("SELECT id FROM supplementary WHERE section = ? AND kind = ?")
      .first(section, kind.rawValue) { try $0.integer(0) }
  }

  private func set(
    _ decorations: [Decoration], ofSection section: Int, replacing count: Int
  ) throws {
    if count > 0 { try statements("DELETE FROM decoration WHERE section = ?").run(section) }
    for (ordinal, decoration) in decorations.enumerated() {
      let insets = decoration.insets
      try statements(
        """
        INSERT INTO decoration (section, ordinal, view, element, zIndex, insetTop, insetLeft,
          insetBottom, insetRight, content)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
      ).run(
        section, ordinal, decoration.view.rawValue, decoration.element.rawValue, decoration.zIndex,
        insets?.top, insets?.left, insets?.bottom, insets?.right,
        decoration.content == .null ? nil : decoration.content.text)
    }
  }
}

extension Statements {
  /// The attributes of a section, by its row.
  ///
  /// - Throws: `SQLITE_CORRUPT` or ``/ListModel/FormatError`` if a row can't be read.
  package func attributes(ofSection section: Int) throws -> SectionAttributes {
    var hasDecorations = false
    let found = try self(
      """
      SELECT layoutKind, columns, lineSpacing, interitemSpacing,
        insetTop, insetLeft, insetBottom, insetRight, meta, visibility,
        EXISTS (SELECT 1 FROM decoration WHERE section = section.id)
      FROM section WHERE id = ?
      """
    ).first(section) { row in
      hasDecorations = try row.integer(10) != 0
      return SectionAttributes(
        layout: try row.layout(), meta: try row.textIfPresent(8).map { try JSON(parsing: $0) },
        visibility: try row.name(9))
    }
    guard var attributes = found else { throw DatabaseError.corrupt("a section has no row") }
    try self("SELECT kind, view, content FROM supplementary WHERE section = ?")
      .forEach(section) { row in
        attributes[try Supplementary.Kind(row.text(0))] = Supplementary(
          view: try ViewName(row.text(1)), content: try JSON(parsing: row.text(2)))
      }
    if hasDecorations { attributes.decorations = try decorations(of: section) }
    return attributes
  }

  private func decorations(of section: Int) throws -> [Decoration] {
    var decorations: [Decoration] = []
    try self(
      """
      SELECT view, element, zIndex, insetTop, insetLeft, insetBottom, insetRight, content, item
      FROM decoration WHERE section = ? ORDER BY ordinal
      """
    ).forEach(section) { row in
      if try row.textIfPresent(8) != nil {
        throw DatabaseError.corrupt("a section has the decoration of one item")
      }
      decorations.append(
        Decoration(
          view: try ViewName(row.text(0)),
          element: try row.name(1),
          zIndex: try row.integer(2),
          insets: try row.insets(3),
          content: try row.textIfPresent(7).map { try JSON(parsing: $0) } ?? .null
        ))
    }
    return decorations
  }
}

extension StatementRow {
  /// The layout in eight columns from the first on.
  fileprivate func layout() throws -> SectionLayout {
    SectionLayout(
      kind: try textIfPresent(0).flatMap(SectionLayout.Kind.init),
      columns: try integerIfPresent(1), lineSpacing: try realIfPresent(2),
      interitemSpacing: try realIfPresent(3), insets: try insets(4))
  }

  /// The insets in four columns from one on.
  fileprivate func insets(_ first: Int32) throws -> Insets? {
    guard let top = try realIfPresent(first) else { return nil }
    return Insets(
      top: top, left: try real(first + 1), bottom: try real(first + 2), right: try real(first + 3))
  }

  /// One of a few names.
  fileprivate func name<Value: RawRepresentable<String>>(_ index: Int32) throws -> Value {
    let text = try text(index)
    guard let value = Value(rawValue: text) else {
      throw DatabaseError.corrupt("\"\(text)\" is no \(Value.self)")
    }
    return value
  }
}
