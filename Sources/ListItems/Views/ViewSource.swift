public import ListModel

/// Where a cell, header or footer comes from.
public enum ViewSource: Sendable {
  /// A class; the collection or table view makes instances by its usual initializer.
  case type(any AnyObject.Type)
  /// A nib with one view in it; `bundle` is the identifier of its bundle, `nil` the app's own.
  case nib(name: String, bundle: String? = nil)
  /// A closure that makes a view.
  case factory(@MainActor @Sendable () -> AnyObject)

  /// The suffix of a reuse identifier that tells this source from others of the same name.
  ///
  /// It begins with U+0000, which no name contains.
  fileprivate var suffix: String {
    switch self {
    case .type, .factory: ""
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

  init(_ role: ViewRole, name: String, source: ViewSource) {
    self.role = role
    self.source = source
    reuseIdentifier = name + source.suffix
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
