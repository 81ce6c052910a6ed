import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ScreenSupport
import StoreFiles
import TestSupport
import Testing

/// Who answers the delegate methods of a view, also after the app's delegate is gone.
@Suite @MainActor struct DelegateForwardingTests {
  @Test func theAdapterComesFirst() {
    var forwarding = DelegateForwarding()
    for appHas in [false, true] {
      let responds = forwarding.responds(to: "height", adapterHas: true, appDelegateHas: appHas)
      #expect(responds)
      #expect(forwarding.answer(to: "height", adapterHas: true, appDelegateHas: appHas) == .adapter)
    }
    // What the adapter has itself needs nobody in place of the app's delegate.
    #expect(forwarding == DelegateForwarding())
  }

  @Test func theAppsDelegateGetsWhatTheAdapterDoesNotHave() {
    var forwarding = DelegateForwarding()
    let forwarded = forwarding.responds(to: "zoom", adapterHas: false, appDelegateHas: true)
    #expect(forwarded)
    #expect(forwarding.answer(to: "zoom", adapterHas: false, appDelegateHas: true) == .appDelegate)
    let unknown = forwarding.responds(to: "focus", adapterHas: false, appDelegateHas: false)
    #expect(!unknown)
    #expect(forwarding.answer(to: "focus", adapterHas: false, appDelegateHas: false) == .unknown)
  }

  @Test func aCallOfADelegateThatIsGoneDoesNothing() {
    var forwarding = DelegateForwarding()
    _ = forwarding.responds(to: "zoom", adapterHas: false, appDelegateHas: true)
    // The view has noted that its delegate has the method, and does not ask again.
    #expect(forwarding.answer(to: "zoom", adapterHas: false, appDelegateHas: false) == .nobody)
    // A method that nobody had is an error as ever.
    #expect(forwarding.answer(to: "focus", adapterHas: false, appDelegateHas: false) == .unknown)
    // A new question is answered as things are.
    let again = forwarding.responds(to: "zoom", adapterHas: false, appDelegateHas: false)
    #expect(!again)
    forwarding.viewAsksAgain()
    #expect(forwarding.answer(to: "zoom", adapterHas: false, appDelegateHas: false) == .unknown)
  }

  @Test func anotherDelegateWithoutTheMethodAnswersWithNothing() {
    var forwarding = DelegateForwarding()
    _ = forwarding.responds(to: "zoom", adapterHas: false, appDelegateHas: true)
    forwarding.viewAsksAgain()
    _ = forwarding.responds(to: "scroll", adapterHas: false, appDelegateHas: true)
    #expect(forwarding.answer(to: "zoom", adapterHas: false, appDelegateHas: false) == .unknown)
    #expect(forwarding.answer(to: "scroll", adapterHas: false, appDelegateHas: false) == .nobody)
  }

  @Test func aWatchEndsWithItsOwner() {
    final class Owner { var watch: DelegateWatch? }
    let counter = Counter()
    var owner: Owner? = Owner()
    owner?.watch = DelegateWatch { counter.increment() }
    #expect(counter.value == 0)
    owner = nil
    #expect(counter.value == 1)
  }

  private final class Counter: Sendable {
    private let count = Guarded(0)
    var value: Int { count.withValue { $0 } }
    func increment() { count.withValue { $0 += 1 } }
  }

  private final class AppDelegate: NSObject, UITableViewDelegate {
    func tableView(
      _ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath
    ) -> Bool { false }
  }

  @Test func aTableWhoseAppDelegateIsGoneWorksAsWithoutOne() throws {
    let bookcase = try Bookcase()
    try bookcase.fill(60)
    let screen = try Screen(.table, showing: bookcase.shelf)
    screen.layOut()
    let adapter = try #require(screen.adapter as? TableAdapter)
    var delegate: AppDelegate? = AppDelegate()
    adapter.delegate = delegate
    screen.tap(IndexPath(row: 0, section: 0))
    #expect(adapter.selection.items == [])
    withExtendedLifetime(delegate) {}
    delegate = nil
    #expect(adapter.delegate == nil)
    screen.tap(IndexPath(row: 0, section: 0))
    #expect(adapter.selection.items == ["b0"])
    screen.scroll(to: 1)
    screen.scroll(to: 0)
    try screen.settle()
    screen.expectBalance()
  }
}
