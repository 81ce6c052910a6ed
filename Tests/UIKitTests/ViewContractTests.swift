import Foundation
import Testing

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// Views as such: their tree, their layout and their sizes.
@MainActor @Suite struct ViewContractTests {
  private final class CountingView: UIView {
    var layouts = 0
    var windows: [Bool] = []
    override func layoutSubviews() {
      super.layoutSubviews()
      layouts += 1
    }
    override func didMoveToWindow() {
      super.didMoveToWindow()
      windows.append(window != nil)
    }
  }

  @Test func aViewIsLaidOutWhenItIsAskedAndNeedsIt() {
    let view = CountingView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    view.layoutIfNeeded()
    let first = view.layouts
    view.layoutIfNeeded()
    #expect(view.layouts == first)
    view.setNeedsLayout()
    #expect(view.layouts == first)
    view.layoutIfNeeded()
    #expect(view.layouts == first + 1)
    view.frame.size.width = 20
    view.layoutIfNeeded()
    #expect(view.layouts == first + 2)
    // Its place is not its layout.
    view.frame.origin.x = 5
    view.layoutIfNeeded()
    #expect(view.layouts == first + 2)
  }

  @Test func aViewHasOneParent() {
    let (first, second, child) = (UIView(), UIView(), UIView())
    first.addSubview(child)
    second.addSubview(child)
    #expect(first.subviews.isEmpty)
    #expect(child.superview === second)
    let behind = UIView()
    second.insertSubview(behind, at: 0)
    #expect(second.subviews.first === behind)
    child.removeFromSuperview()
    #expect(second.subviews == [behind])
    #expect(child.superview == nil)
  }

  @Test func aViewHearsOfItsWindow() {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let (parent, child) = (UIView(), CountingView())
    parent.addSubview(child)
    #expect(child.windows == [])
    window.addSubview(parent)
    #expect(child.windows == [true])
    #expect(child.window === window)
    parent.removeFromSuperview()
    #expect(child.windows == [true, false])
  }

  @Test func aViewFollowsItsParentsSizeAsItsMaskSays() {
    let parent = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let child = UIView(frame: CGRect(x: 10, y: 10, width: 80, height: 20))
    child.autoresizingMask = [.flexibleWidth]
    let fixed = UIView(frame: CGRect(x: 10, y: 50, width: 80, height: 20))
    parent.addSubview(child)
    parent.addSubview(fixed)
    parent.frame.size = CGSize(width: 200, height: 300)
    #expect(child.frame == CGRect(x: 10, y: 10, width: 180, height: 20))
    #expect(fixed.frame == CGRect(x: 10, y: 50, width: 80, height: 20))
  }

  @Test func theContentOffsetIsTheOriginOfTheBounds() {
    let view = UIScrollView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    view.contentSize = CGSize(width: 100, height: 500)
    view.contentOffset = CGPoint(x: 0, y: 50)
    #expect(view.bounds == CGRect(x: 0, y: 50, width: 100, height: 100))
    #expect(view.frame == CGRect(x: 0, y: 0, width: 100, height: 100))
  }

  @Test func aViewFitsWhatItIsUnlessItSaysOtherwise() {
    let view = UIView(frame: CGRect(x: 0, y: 0, width: 30, height: 40))
    #expect(view.sizeThatFits(CGSize(width: 10, height: 10)) == CGSize(width: 30, height: 40))
  }

  @Test func aControlTellsItsActions() {
    let button = UIButton()
    var count = 0
    button.addAction(UIAction { _ in count += 1 }, for: .touchUpInside)
    button.sendActions(for: .touchUpInside)
    button.sendActions(for: .valueChanged)
    #expect(count == 1)
  }

  @Test func attributesAreCopiedWithTheirSubclassesValues() {
    final class Tinted: UICollectionViewLayoutAttributes {
      // Copied where UIKit copies, which is on the main actor only.
      nonisolated(unsafe) var tint = 0
      override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone)
        (copy as? Tinted)?.tint = tint
        return copy
      }
    }
    let tinted = Tinted(forDecorationViewOfKind: "card", with: at(1, 2))
    tinted.frame = CGRect(x: 1, y: 2, width: 3, height: 4)
    (tinted.zIndex, tinted.alpha, tinted.tint) = (5, 0.5, 7)
    let copy = tinted.copy() as? Tinted
    #expect(copy !== tinted)
    #expect(copy?.tint == 7)
    #expect(copy?.frame == tinted.frame)
    #expect(copy?.zIndex == 5)
    #expect(copy?.indexPath == at(1, 2))
    #expect(copy?.representedElementKind == "card")
  }
}
