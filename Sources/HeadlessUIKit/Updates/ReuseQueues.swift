/// The views of one role by reuse identifier: their factories, those that wait for reuse, and all
/// that are not released.
@MainActor final class ReuseQueues<View: UIView> {
  /// An identifier of views of an element kind.
  struct Key: Hashable {
    var kind = ""
    var identifier: String
  }

  private struct Weak {
    weak var view: View?
  }

  private var factories: [Key: () -> View?] = [:]
  private var waiting: [Key: [View]] = [:]
  private var all: [Weak] = []
  var counts = HeadlessCounts()
  private var registrations: [Key: Int] = [:]

  /// The number of registrations of the identifier that was registered most often.
  var mostRegistrations: Int { registrations.values.max() ?? 0 }

  /// The number of views that are not released.
  var alive: Int { all.count { $0.view != nil } }

  /// The number of views that wait for reuse.
  var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

  /// Registers the factory of an identifier; `nil` removes it.
  func register(_ key: Key, _ factory: (() -> View?)?) {
    factories[key] = factory
    registrations[key, default: 0] += 1
  }

  /// Adds the factory of an identifier that a storyboard has a prototype for.
  func addPrototype(_ key: Key, _ factory: @escaping () -> View?) { factories[key] = factory }

  /// A view that waited for reuse, or a new one; `nil` if none waits and no factory is registered.
  func dequeue(_ key: Key) -> (view: View, isReused: Bool)? {
    if let view = waiting[key]?.popLast() {
      counts.dequeued += 1
      counts.reused += 1
      return (view, true)
    }
    guard let view = factories[key]?() else { return nil }
    counts.dequeued += 1
    enroll(view)
    return (view, false)
  }

  /// Counts a view that was made.
  func enroll(_ view: View) {
    counts.created += 1
    if all.count > 64, all.count > 2 * alive { all.removeAll { $0.view == nil } }
    all.append(Weak(view: view))
  }

  /// Puts a view into the reuse queue.
  func enqueue(_ view: View, _ key: Key) { waiting[key, default: []].append(view) }
}
