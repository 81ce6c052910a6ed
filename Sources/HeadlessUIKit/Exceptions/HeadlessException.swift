/// What UIKit would have raised as an `NSException`, and what HeadlessUIKit refuses beyond that.
///
/// The methods of views don't throw, here as on a device, so an exception surfaces in one of two
/// ways. Inside `raised(by:)` it is collected and the method returns: the view keeps what it showed
/// and refuses everything but `reloadData()`. Elsewhere the process ends with the text, as an app
/// would: a test that does not expect an exception can't miss it.
public struct HeadlessException: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which kind of exception it is.
  public struct Name: RawRepresentable, Hashable, Sendable {
    /// The name as UIKit has it.
    public let rawValue: String

    /// A name as it is.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The view and its data source contradict each other.
    public static let internalInconsistency = Name(rawValue: "NSInternalInconsistencyException")
    /// A parameter means nothing.
    public static let invalidArgument = Name(rawValue: "NSInvalidArgumentException")
    /// UIKit may accept this and go wrong later: wrong cells, old cells, a crash elsewhere.
    ///
    /// Not raised by UIKit. The reason says what goes wrong.
    public static let hazard = Name(rawValue: "HeadlessHazard")
    /// A visible cell does not show what its owner says it should.
    ///
    /// Not raised by UIKit, which can't know.
    public static let wrongContent = Name(rawValue: "HeadlessWrongContent")
  }

  /// Which kind of exception it is.
  public let name: Name
  /// UIKit's text, without the addresses of objects.
  public let reason: String
  /// The same in the words of older versions, which name the section; empty where there is no more
  /// to say.
  public let detail: String

  /// The name, the reason and the detail.
  public var description: String {
    "\(name.rawValue): \(reason)" + (detail.isEmpty ? "" : "\n\(detail)")
  }

  /// An inconsistency, which is what UIKit raises most.
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
  /// Where exceptions go instead of ending the process.
  @MainActor private final class Collector {
    var exceptions: [HeadlessException] = []
  }

  @TaskLocal private static var collector: Collector?

  /// What a closure raises.
  ///
  /// Counts in tasks that the closure starts, too, as long as it has not returned.
  ///
  /// - Parameter body: What to do.
  /// - Returns: The exceptions, in order.
  @MainActor public static func raised(
    by body: @MainActor () throws -> Void
  ) rethrows -> [HeadlessException] {
    let collector = Collector()
    try $collector.withValue(collector) { try body() }
    return collector.exceptions
  }

  /// What a closure raises.
  ///
  /// - Parameter body: What to do.
  /// - Returns: The exceptions, in order.
  @MainActor public static func raised(
    by body: @MainActor () async throws -> Void
  ) async rethrows -> [HeadlessException] {
    let collector = Collector()
    try await $collector.withValue(collector) { try await body() }
    return collector.exceptions
  }

  /// Raises it: it is collected, or the process ends.
  @MainActor func raise() {
    guard let collector = Self.collector else { preconditionFailure(description) }
    collector.exceptions.append(self)
  }
}
