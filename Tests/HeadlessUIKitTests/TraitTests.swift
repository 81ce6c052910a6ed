import Foundation
import HeadlessUIKit
import Testing

/// How traits and safe areas reach the views.
@MainActor @Suite struct TraitTests {
  private final class Listener: UIView {
    var changes: [UITraitCollection?] = []
    var safeAreas: [UIEdgeInsets] = []
    override func traitCollectionDidChange(_ previous: UITraitCollection?) {
      changes.append(previous)
    }
    override func safeAreaInsetsDidChange() { safeAreas.append(safeAreaInsets) }
  }

  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 300, height: 400))

  @Test func aContainersOverrideReachesItsViewsOnly() {
    let container = UIView(frame: window.bounds)
    let inside = Listener()
    let outside = Listener()
    window.addSubview(container)
    window.addSubview(outside)
    container.addSubview(inside)
    container.headlessChangeTraits(UITraitCollection(horizontalSizeClass: .regular))
    #expect(inside.changes.map { $0?.horizontalSizeClass } == [.compact])
    #expect(outside.changes.isEmpty)
    // What the container does not override still comes from the window.
    window.headlessChangeTraits(UITraitCollection(legibilityWeight: .bold))
    #expect(inside.traitCollection.legibilityWeight == .bold)
    #expect(inside.traitCollection.horizontalSizeClass == .regular)
    #expect(inside.changes.count == 2)
    #expect(inside.traitCollection === inside.traitCollection)
    outside.removeFromSuperview()
    container.addSubview(outside)
    #expect(outside.changes.last??.horizontalSizeClass == .compact)
  }

  @Test func onlyTheUsersTextSizeIsANotification() {
    let view = UIView()
    window.addSubview(view)
    // Without a queue the observer runs on the thread that posts, which is this one.
    nonisolated(unsafe) var count = 0
    let token = NotificationCenter.default.addObserver(
      forName: UIContentSizeCategory.didChangeNotification, object: nil, queue: nil
    ) { _ in count += 1 }
    defer { NotificationCenter.default.removeObserver(token) }
    view.headlessChangeTraits(UITraitCollection(preferredContentSizeCategory: .small))
    #expect(count == 0)
    window.headlessChangeTraits(UITraitCollection(preferredContentSizeCategory: .extraLarge))
    #expect(count == 1)
  }

  @Test func theSafeAreaReachesWhatTouchesTheEdges() {
    let wide = Listener(frame: CGRect(x: 0, y: 100, width: 300, height: 100))
    let narrow = Listener(frame: CGRect(x: 30, y: 100, width: 200, height: 100))
    window.addSubview(wide)
    window.addSubview(narrow)
    window.headlessChangeSafeArea(UIEdgeInsets(top: 20, left: 40, bottom: 10, right: 50))
    #expect(wide.safeAreas == [UIEdgeInsets(top: 0, left: 40, bottom: 0, right: 50)])
    #expect(narrow.safeAreaInsets == UIEdgeInsets(top: 0, left: 10, bottom: 0, right: 0))
    #expect(narrow.layoutMargins.left == 18)
    narrow.insetsLayoutMarginsFromSafeArea = false
    #expect(narrow.layoutMargins.left == 8)
  }
}
