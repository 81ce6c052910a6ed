import ListModel

/// A screen that shows a list.
struct ScreenName: Hashable, Sendable {
  var list: ListID
  var view: String
}
