import Foundation
import HeadlessUIKit
import Testing

/// What UIKit raises beside batches, and how it surfaces.
@MainActor @Suite struct ExceptionTests {
  private func reload(_ screen: ShelfScreen) -> [HeadlessException] {
    HeadlessException.raised {
      screen.view.reloadData()
      screen.view.layoutIfNeeded()
    }
  }

  @Test func anUnregisteredIdentifier() {
    let screen = ShelfScreen([1])
    screen.configure = { $0.dequeueReusableCell(withReuseIdentifier: "other", for: $1) }
    screen.view.headless.expectedContent = nil
    #expect(
      reload(screen).map(\.description) == [
        "NSInternalInconsistencyException: could not dequeue a view of kind: "
          + "UICollectionElementKindCell with identifier other - must register a nib or a class for "
          + "the identifier or connect a prototype cell in a storyboard"
      ])
    screen.view.register(BookCell.self, forCellWithReuseIdentifier: "other")
    #expect(reload(screen).isEmpty)
  }

  @Test func cellsAndHeadersAreRegisteredApart() {
    let screen = ShelfScreen([1])
    screen.view.register(TitleView.self, forCellWithReuseIdentifier: "title")
    screen.configure = { $0.dequeueReusableCell(withReuseIdentifier: "title", for: $1) }
    screen.view.headless.expectedContent = nil
    #expect(reload(screen).count == 1)
  }

  @Test func aCellThatWasNotDequeued() {
    let screen = ShelfScreen([1])
    screen.view.headless.expectedContent = nil
    screen.configure = { _, _ in UICollectionViewCell() }
    #expect(
      reload(screen).first?.reason.hasPrefix(
        "the cell returned from -collectionView:cellForItemAtIndexPath: does not have a "
          + "reuseIdentifier") == true)
    let kept = ShelfScreen([1])
    let cell = kept.cell(at(0, 0))
    kept.configure = { _, _ in cell ?? UICollectionViewCell() }
    kept.view.headless.expectedContent = nil
    #expect(reload(kept).first?.reason.contains("was not retrieved by calling") == true)
  }

  @Test func aSecondCellForOnePlace() {
    let screen = ShelfScreen([1])
    screen.configure = { view, path in
      _ = view.dequeueReusableCell(withReuseIdentifier: "book", for: path)
      return view.dequeueReusableCell(withReuseIdentifier: "book", for: path)
    }
    screen.view.headless.expectedContent = nil
    #expect(
      reload(screen).first?.reason.hasPrefix("Expected dequeued view to be returned") == true)
  }

  @Test func aCellThatNobodyAskedFor() {
    let screen = ShelfScreen([1])
    let raised = HeadlessException.raised {
      _ = screen.view.dequeueReusableCell(withReuseIdentifier: "book", for: at(0, 0))
    }
    #expect(raised.first?.reason.contains("Avoid dequeuing views without a request") == true)
  }

  @Test func aReconfiguredCellMustBeTheSame() {
    let screen = ShelfScreen([1])
    screen.view.register(BookCell.self, forCellWithReuseIdentifier: "other")
    screen.configure = { $0.dequeueReusableCell(withReuseIdentifier: "other", for: $1) }
    screen.view.headless.expectedContent = nil
    let raised = HeadlessException.raised { screen.view.reconfigureItems(at: [at(0, 0)]) }
    #expect(raised.count == 1)
    #expect(raised.first?.reason.contains("is not the one that is shown there") == true)
  }

  @Test func nibsAreWhatATestSaysTheyAre() {
    let screen = ShelfScreen([1])
    screen.view.headless.expectedContent = nil
    screen.configure = { $0.dequeueReusableCell(withReuseIdentifier: "nib", for: $1) }
    screen.view.register(
      UINib(nibName: "Book of CellTests", bundle: nil), forCellWithReuseIdentifier: "nib")
    #expect(reload(screen).first?.reason.hasPrefix("Could not load NIB in bundle") == true)
    UINib.headlessDefine("Book of CellTests") { [BookCell(frame: .zero), UIView()] }
    #expect(
      reload(screen).first?.reason.hasPrefix("invalid nib registered for identifier (nib)") == true)
    UINib.headlessDefine("Book of CellTests") { [BookCell(frame: .zero)] }
    #expect(reload(screen).isEmpty)
    #expect(screen.cell(at(0, 0))?.reuseIdentifier == "nib")
  }

  @Test func aNumberOfItemsThatIsNot() {
    let screen = ShelfScreen([1])
    let raised = HeadlessException.raised { _ = screen.view.numberOfItems(inSection: 1) }
    #expect(
      raised.map(\.reason) == [
        "request for number of items in section 1 when there are only 1 sections in the collection "
          + "view"
      ])
  }

  @Test func unlessCollectedAnExceptionEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        let screen = ShelfScreen([1])
        screen.view.insertItems(at: [at(0, 0)])
      }
    }
  }

  @Test func exceptionsOfTasksAreCollectedToo() async {
    let screen = ShelfScreen([1])
    let raised = await HeadlessException.raised {
      await Task { @MainActor in screen.view.insertItems(at: [at(0, 0)]) }.value
    }
    #expect(raised.count == 1)
  }
}
