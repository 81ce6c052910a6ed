/// What was registered with one collection or table view, and which unknown names were reported,
/// each once.
package struct RegistrationLedger: Sendable {
  private var made: Set<ViewRegistration> = []
  private var reported: Set<Report> = []

  private struct Report: Hashable {
    var role: ViewRole
    var name: String
  }

  /// An empty ledger.
  package init() {}

  /// Notes a registration.
  ///
  /// - Returns: Whether it is new.
  package mutating func add(_ registration: ViewRegistration) -> Bool {
    made.insert(registration).inserted
  }

  /// Notes an unknown name.
  ///
  /// - Returns: Whether it is new; `false` if the name was resolved.
  package mutating func addUnresolved(_ resolution: ViewRegistry.Resolution) -> Bool {
    guard let name = resolution.unresolvedName else { return false }
    return reported.insert(Report(role: resolution.registration.role, name: name)).inserted
  }

  /// Forgets the registrations, for a view that lost them.
  package mutating func reset() { made = [] }
}
