// Article: begin
#if canImport(UIKit)
  import UIKit
#else
  import HeadlessUIKit
#endif
// Article: end
import Testing

/// The examples of the module's article, line by line; ``TaskArticleTests`` compares and runs them.
@MainActor enum HeadlessUIKitExample {
  static func tap(_ view: UICollectionView) {
    // Article: begin
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
    window.addSubview(view)
    view.layoutIfNeeded()
    view.headless.tap(itemAt: IndexPath(item: 2, section: 0))
    view.headless.finishAnimations()
    #expect(view.headless.cells.onDisplay == view.visibleCells.count)
    // Article: end
  }
}
