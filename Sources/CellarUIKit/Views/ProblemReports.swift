public import ListItems
public import ListModel
import ListStore
import ListSync

/// Logs problems, and hands them to the app.
///
/// The first of those that come before the app has a handler are kept for it.
@MainActor final class ProblemReports {
  var handler: ((any Error) -> Void)? {
    didSet {
      guard let handler else { return }
      let problems = unreported
      unreported = []
      for problem in problems { handler(problem) }
    }
  }
  private var unreported: [any Error] = []
  /// The first ones are the causes of the rest.
  private static let maximumCount = 100
  private let list: LiveList

  init(of list: LiveList) { self.list = list }

  /// Logs a problem, and hands it to the app.
  func report(_ problem: any Error) {
    list.repository.events.log(problem, "show a list")
    hand(problem)
  }

  /// Hands a problem to the app that was logged before.
  func hand(_ problem: any Error) {
    if let handler {
      handler(problem)
    } else if unreported.count < Self.maximumCount {
      unreported.append(problem)
    }
  }
}

/// The error for a view name in the store that the app did not register.
///
/// The view shows the fallback instead.
public struct UnknownView: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name in the store.
  public let name: String
  /// The role of the missing view: a cell, or a supplementary view of a kind.
  public let role: ViewRole

  /// What is wrong, and what to do.
  public var description: String {
    switch role {
    case .cell:
      "no cell is registered as \"\(name)\"; register one, or an alias for the one that it is now"
    case .supplementary(let kind):
      "no view of kind \"\(kind)\" is registered as \"\(name)\"; register one, or an alias for the one "
        + "that it is now"
    }
  }
}

extension UnknownView: LoggedProblem {
  package var logText: String { description }
}

/// The error for items that the store could not give when a view asked for them.
///
/// The view shows the fallback cell instead. What it shows of the list otherwise stays.
///
/// Causes: the Repository was closed, the store's file was damaged or deleted, or the list was
/// changed after `Repository.suspend()`. The adapter reports this once until the next update, which
/// asks for all items again.
public struct UnreadableItems: Error, Sendable, CustomStringConvertible {
  /// The list whose items can't be read.
  public let list: ListID
  /// What reading the list fails with now; `nil` if it could be read again.
  public let cause: StoreError?

  /// What is wrong, and what to do.
  public var description: String {
    "items of list \"\(list)\" can't be read"
      + (cause.map { ": \($0)" }
        ?? "; they are asked for again with the next update. Where that does not help, check the store "
        + "with `cellar info FILE`")
  }
}
