/// What one host view knows already: each registration is made once, each unknown name reported once.
public struct RegistrationLedger: Sendable {
  private var made: Set<ViewRegistration> = []
  private var reported: Set<Report> = []

  private struct Report: Hashable {
    var role: ViewRole
    var name: String
  }

  /// For a view that knows nothing.
  public init() {}

  /// Notes a registration.
  ///
  /// - Returns: Whether the host is still to be told.
  public mutating func add(_ registration: ViewRegistration) -> Bool {
    made.insert(registration).inserted
  }

  /// Notes a name that nobody registered.
  ///
  /// - Returns: Whether it is still to be reported; `false` for a view whose name is known.
  public mutating func addUnresolved(_ resolution: ViewRegistry.Resolution) -> Bool {
    guard let name = resolution.unresolvedName else { return false }
    return reported.insert(Report(role: resolution.registration.role, name: name)).inserted
  }

  /// Forgets the registrations, for a host that has lost them: NSCollectionView does with its layout.
  public mutating func reset() { made = [] }
}
