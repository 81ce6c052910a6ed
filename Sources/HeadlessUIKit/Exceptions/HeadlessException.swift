/// An exception that UIKit would raise as an `NSException`, or a further one of HeadlessUIKit.
///
/// The methods of views don't throw, here as on a device. Inside the closure of `raised(by:)` an
/// exception is collected and the method returns: the view keeps its cells and refuses everything
/// but `reloadData()`. Anywhere else the process ends with the exception's text, as an app would.
/// So a test that expects no exception can't miss one.
public struct HeadlessException: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of exception.
  public struct Name: RawRepresentable, Hashable, Sendable {
    /// UIKit's name.
    public let rawValue: String

    /// Makes a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The view and its data source contradict each other.
    public static let internalInconsistency = Name(rawValue: "NSInternalInconsistencyException")
    /// A parameter is invalid.
    public static let invalidArgument = Name(rawValue: "NSInvalidArgumentException")
    /// UIKit may accept this and fail later: wrong cells, old cells, a crash somewhere else.
    ///
    /// UIKit does not raise it. The reason says how UIKit fails.
    public static let hazard = Name(rawValue: "HeadlessHazard")
    /// A visible cell does not show its expected content.
    ///
    /// UIKit can't know that, and does not raise it.
    public static let wrongContent = Name(rawValue: "HeadlessWrongContent")
  }

  /// The kind of exception.
  public let name: Name
  /// UIKit's text, without the addresses of objects.
  public let reason: String
  /// The text of older versions, which names the section; empty if it has nothing to add.
  public let detail: String

  /// The name, the reason and the detail.
  public var description: String {
    "\(name.rawValue): \(reason)" + (detail.isEmpty ? "" : "\n\(detail)")
  }

  /// Makes an inconsistency, which UIKit raises most.
  init(_ reason: String, detail: String = "") {
    self.init(.internalInconsistency, reason, detail: detail)
  }

  init(_ name: Name, _ reason: String, detail: String = "") {
    self.name = name
    self.reason = reason
    self.detail = detail
  }
}

// MARK: - Collecting

extension HeadlessException {
  /// Collects exceptions, which then don't end the process.
  @MainActor private final class Collector {
    var exceptions: [HeadlessException] = []
  }

  @TaskLocal private static var collector: Collector?

  /// Runs a closure and collects the exceptions that it raises.
  ///
  /// Exceptions in tasks that the closure starts count too, until the closure returns.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The exceptions, in order.
  @MainActor public static func raised(
    by body: @MainActor () throws -> Void
  ) rethrows -> [HeadlessException] {
    let collector = Collector()
    try $collector.withValue(collector) { try body() }
    return collector.exceptions
  }

  /// Runs a closure and collects the exceptions that it raises.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The exceptions, in order.
  @MainActor public static func raised(
    by body: @MainActor () async throws -> Void
  ) async rethrows -> [HeadlessException] {
    let collector = Collector()
    try await $collector.withValue(collector) { try await body() }
    return collector.exceptions
  }

  /// Raises the exception: it is collected, or it ends the process.
  @MainActor func raise() {
    guard let collector = Self.collector else { preconditionFailure(description) }
    collector.exceptions.append(self)
  }
}
