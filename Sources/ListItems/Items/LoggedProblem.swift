/// An error of a screen that can be logged: a log must not hold what a list holds.
package protocol LoggedProblem: Error {
  /// What is wrong, with names of the app's types and views, but without ids and contents.
  var logText: String { get }
}

extension ItemTypeError: LoggedProblem {
  package var logText: String {
    switch self {
    case .unknownType(let type?, _, _): "no item type is named \"\(type)\""
    case .unknownType(nil, let cell, _): "no single item type is shown by cell \"\(cell)\""
    case .unreadable(let type, _, _): "a content is not that of a \"\(type)\""
    case .newerContent(let type, let version, _, let known):
      "a content is version \(version) of \"\(type)\", and the app knows version \(known)"
    case .upgradeFailed(let type, let version, _, _):
      "a content can't be upgraded from version \(version) of \"\(type)\""
    case .wrongCell(let type, _, let cell): "a \"\(type)\" can't be shown by a \(cell)"
    case .sameName: description
    }
  }
}

extension SupplementaryTypeError: LoggedProblem {
  package var logText: String {
    switch self {
    case .unreadable(let view, _): "a content is not what the type of view \"\(view)\" encodes"
    case .unknownView, .wrongView, .sameName: description
    }
  }
}
