public import ListModel

/// Where a cell, header or footer comes from.
public enum ViewSource: Sendable {
  /// A class; the collection or table view makes instances by its usual initializer.
  case type(any AnyObject.Type)
  /// A nib with one view in it; `bundle` is the identifier of its bundle, `nil` the app's own.
  case nib(name: String, bundle: String? = nil)
  /// A closure that makes a view with the reuse identifier that it gets:
  ///
  /// ```swift
  /// .factory { id in BookRow(style: .subtitle, reuseIdentifier: id) }
  /// ```
  ///
  /// A table shows what it makes; a view with another reuse identifier is reported, because it is
  /// never used again. A collection view makes its cells itself: there the class of what the closure
  /// makes is registered, and the identifier has no use.
  case factory(@MainActor @Sendable (_ reuseIdentifier: String) -> AnyObject)
  /// The view's own prototype, from its storyboard; nothing is registered.
  ///
  /// `identifier` is the prototype's reuse identifier, `nil` the name in stores. Tables have
  /// prototypes of cells, collection views of cells and of section headers and footers; decorations
  /// have none.
  ///
  /// A table makes a further cell to measure with. A collection view gives cells on display only:
  /// items that have such a cell say their size themselves, or have the one that the app's delegate or
  /// the storyboard's flow layout says.
  case prototype(identifier: String? = nil)

  /// The name of what the source makes; `nil` if nothing but the view's storyboard knows it.
  @MainActor func name(reuseIdentifier: String) -> String? {
    switch self {
    case .type(let type): String(describing: type)
    case .factory(let make): String(describing: Swift.type(of: make(reuseIdentifier)))
    case .nib(let name, let bundle): [name, bundle].compactMap(\.self).joined(separator: " of ")
    case .prototype(let identifier): identifier
    }
  }

  /// The suffix of a reuse identifier that tells this source from others of the same name.
  ///
  /// It begins with U+0000, which no name contains.
  fileprivate var suffix: String {
    switch self {
    case .type, .factory, .prototype: ""
    case .nib(let name, let bundle): "\0" + name + (bundle.map { "\0" + $0 } ?? "")
    }
  }
}

/// The role of a view.
///
/// Collection views keep registrations of different roles apart.
public enum ViewRole: Hashable, Sendable {
  /// The cell of an item.
  case cell
  /// A view of a section: a header, a footer or a kind of the app's own.
  case supplementary(kind: Supplementary.Kind)
}

/// How a view is registered with a collection or table view, before it can be dequeued.
///
/// Two are equal if they have the same role and reuse identifier.
package struct ViewRegistration: Hashable, Sendable {
  /// The view's role.
  package let role: ViewRole
  /// The reuse identifier; it is the same for the same name and source in every launch.
  package let reuseIdentifier: String
  /// Where the view comes from.
  package let source: ViewSource

  /// How a view is registered under a name.
  package init(_ role: ViewRole, name: String, source: ViewSource) {
    self.role = role
    self.source = source
    if case .prototype(let identifier?) = source {
      reuseIdentifier = identifier
    } else {
      reuseIdentifier = name + source.suffix
    }
  }

  /// Compares role and reuse identifier.
  package static func == (lhs: ViewRegistration, rhs: ViewRegistration) -> Bool {
    lhs.role == rhs.role && lhs.reuseIdentifier == rhs.reuseIdentifier
  }

  /// Hashes role and reuse identifier.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(role)
    hasher.combine(reuseIdentifier)
  }
}
