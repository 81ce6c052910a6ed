package import ListModel

/// What a derived list is: which items of its source, in what order, in which sections.
///
/// It is data, so that every process that opens the store can keep the list up to date.
package struct DerivedDefinition: Sendable {
  /// The id of the list that is made.
  package var list: ListID
  /// The id of its source, which may be derived itself.
  package var source: ListID
  /// All of them hold for an item of the list.
  package var conditions: [Condition] = []
  /// The keys that order its items, the most significant one first; none: the source's order.
  package var sort: [SortTerm] = []
  /// Its sections.
  package var sections: Sections = .one
  /// At most so many items; `nil` for all.
  package var limit: Int?
  /// The definition as it was given, without white space.
  package var json: JSON

  /// The sections of a derived list.
  package enum Sections: Sendable {
    /// All items stand in one, ``DerivedDefinition/onlySection``.
    case one
    /// Those of the source.
    case ofSource(keepsEmpty: Bool)
    /// One for each value.
    case byValue(SectionTerm)
  }

  /// A key that items are ordered by.
  package struct SortTerm: Sendable {
    /// Where the value is.
    package var path: ValuePath
    /// How strings are compared.
    package var collation: Collation = .scalars
    /// Whether the greatest value comes first.
    package var isDescending = false
  }

  /// The value that items are grouped by.
  package struct SectionTerm: Sendable {
    /// Where the value is.
    package var path: ValuePath
    /// The order of the sections.
    package var order: Order = .ascending
    /// The view of the header; `nil` for none.
    package var view: ViewName?
    /// The layout of each section.
    package var layout: SectionLayout?

    /// The order of sections.
    package enum Order: Sendable {
      /// By their least value.
      case ascending
      /// By their greatest value, the greatest first.
      case descending
      /// As they are met first in the source.
      case source
    }
  }

  /// How strings are compared.
  package enum Collation: Hashable, Sendable {
    /// By Unicode scalars.
    case scalars
    /// By the scalars of their lower-case letters.
    case caseless
    /// As people of a region expect it; an empty locale is the root locale.
    case localized(locale: String)
  }

  /// The id of the section that has all items, where a definition asks for no sections.
  package static let onlySection: SectionID = "items"
}

extension DerivedDefinition {
  /// Whether the section of an item in the source decides something beside the item's place.
  package var readsSourceSection: Bool {
    paths.contains(.section)
  }

  /// Where it reads items.
  package var paths: [ValuePath] { conditions.flatMap(\.paths) + orderPaths }

  /// Where it reads items that are in the list.
  package var orderPaths: [ValuePath] {
    let section: [ValuePath] = if case .byValue(let term) = sections { [term.path] } else { [] }
    return sort.map(\.path) + section
  }

  /// The sections of the source that a single condition leaves out; empty for any other definition.
  package var leftOutSections: [SectionID] {
    guard conditions.count == 1, case .not(let inner) = conditions[0], inner.count == 1,
      case .test(.section, .among(let keys)) = inner[0]
    else { return [] }
    return keys.compactMap { $0.string.flatMap { try? SectionID($0) } }
  }

  /// The view of the headers of its sections; `nil` if they have none of their own.
  package var headerView: ViewName? {
    if case .byValue(let term) = sections { term.view } else { nil }
  }

  /// Whether a section goes that a limit leaves without items.
  package var dropsEmptySections: Bool {
    switch sections {
    case .one, .ofSource(keepsEmpty: true): false
    case .ofSource(keepsEmpty: false), .byValue: true
    }
  }

  /// The attributes of a section of values.
  ///
  /// `least`: The least value in it.
  package func attributes(ofSectionWith least: ValueKey) -> SectionAttributes {
    guard case .byValue(let term) = sections else { return SectionAttributes() }
    return SectionAttributes(
      layout: term.layout,
      header: term.view.map {
        Supplementary(view: $0, content: JSON(minified: "{\"value\":\(least.json)}"))
      })
  }
}
