/// Where a host gets a view from.
public enum ViewSource: Sendable {
  /// A class, which the host makes by its usual initializer.
  case type(any AnyObject.Type)
  /// A nib with one view in it; `bundle` is the identifier of its bundle, `nil` the app's own.
  case nib(name: String, bundle: String? = nil)
  /// A closure that makes one.
  case factory(@MainActor @Sendable () -> AnyObject)

  /// What tells this source from others of the same name, in a reuse identifier.
  ///
  /// Behind U+0000, which no name holds.
  fileprivate var suffix: String {
    switch self {
    case .type, .factory: ""
    case .nib(let name, let bundle): "\0" + name + (bundle.map { "\0" + $0 } ?? "")
    }
  }
}

/// What a view is for: a host keeps registrations and reuse queues apart by it.
public enum ViewRole: Hashable, Sendable {
  /// Of an item.
  case cell
  /// Of a section, of a kind: `header`, `footer` or the app's own.
  case supplementary(kind: String)
}

/// What a host must know before it can dequeue a view.
///
/// Two are equal if role and reuse identifier are: those registered twice are registered once.
public struct ViewRegistration: Hashable, Sendable {
  /// What the view is for.
  public let role: ViewRole
  /// The same for the same name and source, in every launch and on every machine.
  public let reuseIdentifier: String
  /// Where the view comes from.
  public let source: ViewSource

  init(_ role: ViewRole, name: String, source: ViewSource) {
    self.role = role
    self.source = source
    reuseIdentifier = name + source.suffix
  }

  /// Compares role and reuse identifier.
  public static func == (lhs: ViewRegistration, rhs: ViewRegistration) -> Bool {
    lhs.role == rhs.role && lhs.reuseIdentifier == rhs.reuseIdentifier
  }

  /// Hashes role and reuse identifier.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(role)
    hasher.combine(reuseIdentifier)
  }
}
