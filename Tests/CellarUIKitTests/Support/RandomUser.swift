import BatchUpdates
import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import Providers
import ScreenSupport
import TestSupport
import Testing

/// What a user and a device do with a screen at random moments, and what must hold after it.
@MainActor final class RandomUser {
  let screen: Screen
  /// The items that the user selected, outside of editing mode and in it.
  private var selected: Set<ItemID> = []
  private var selectedInEditing: Set<ItemID> = []
  /// The revision at which editing mode changed, as long as the adapter has had no occasion to
  /// notice it.
  private var unnoticedEditing: Int?
  private var pressed: ItemID?
  private var isSwiping = false

  /// `edits`: Whether the user moves and deletes items.
  init(of screen: Screen, edits: Bool) {
    self.screen = screen
    screen.collection?.allowsMultipleSelectionDuringEditing = true
    screen.table?.allowsMultipleSelectionDuringEditing = true
    screen.adapter.canMove = { _ in edits }
    (screen.adapter as? TableAdapter)?.canDelete = { _ in edits }
    screen.adapter.handlers.on(.control("like"), of: Row.self) { [weak self] row, _ in
      self?.pressed = ItemID(stringLiteral: row.id)
    }
    screen.adapter.onUpdate = { [weak self] batch in
      if case .reload(let reason) = batch.mode { Issue.record("refused: \(reason)") }
      guard let self else { return }
      // An item that is gone may come back with the next update.
      forgetGoneItems()
      guard let toggled = unnoticedEditing, batch.to > toggled else { return }
      unnoticedEditing = nil
    }
  }

  private var view: UIScrollView { screen.view }
  private var isAway: Bool { view.window == nil }
  private var isMoving: Bool { screen.collection?.hasUncommittedUpdates ?? false }
  private var isDragging: Bool {
    screen.collection?.hasActiveDrag ?? screen.table?.hasActiveDrag ?? false
  }
  private var isEditing: Bool {
    // A table with a swiped row says that it is in editing mode, too.
    screen.collection?.isEditing ?? (screen.table?.isEditing == true && !isSwiping)
  }

  // MARK: What happens

  /// Something that a user does, or a device.
  func act(_ random: inout SeededGenerator) {
    if isAway {
      if random.percent(40) { screen.window.addSubview(view) }
    } else if isMoving {
      goOnMoving(&random)
    } else if isDragging, random.percent(40) {
      endDrag()
    } else {
      switch random.number(0..<20) {
      case 0..<4: changeDevice(&random)
      case 4..<8: scroll(&random)
      case 8..<10: press(&random)
      case 10..<18 where !isDragging: touch(&random)
      case 18 where !isDragging:
        endSwipe()
        view.removeFromSuperview()
      default:
        screen.collection?.headless.beginDragSession()
        screen.table?.headless.beginDragSession()
      }
    }
    if random.percent(50) { screen.layOut() }
    forgetGoneItems()
  }

  /// The user rotates the device, or changes its settings.
  private func changeDevice(_ random: inout SeededGenerator) {
    let window = screen.window
    let traits = window.traitCollection
    switch random.number(0..<4) {
    case 0:
      let isWide = window.frame.width > 400
      window.frame.size =
        isWide ? CGSize(width: 320, height: 480) : CGSize(width: 480, height: 320)
      view.frame = window.bounds
      let side: CGFloat = isWide ? 0 : 44
      window.headlessChangeSafeArea(UIEdgeInsets(top: 20, left: side, bottom: 10, right: side))
    case 1:
      let isLarge = traits.preferredContentSizeCategory == .extraLarge
      window.headlessChangeTraits(
        UITraitCollection(preferredContentSizeCategory: isLarge ? .large : .extraLarge))
    case 2:
      let isBold = traits.legibilityWeight == .bold
      window.headlessChangeTraits(UITraitCollection(legibilityWeight: isBold ? .regular : .bold))
    default:
      let isRight = traits.layoutDirection == .rightToLeft
      window.headlessChangeTraits(
        UITraitCollection(layoutDirection: isRight ? .leftToRight : .rightToLeft))
    }
  }

  /// The user scrolls: somewhere, or a bit and back, so that cells that were kept come on display
  /// again.
  private func scroll(_ random: inout SeededGenerator) {
    if random.percent(30) { return screen.scroll(to: Double.random(in: 0...1, using: &random)) }
    let offset = view.contentOffset
    let step = CGFloat.random(in: -80...80, using: &random)
    view.headlessDrag(to: CGPoint(x: 0, y: offset.y + step))
    view.headlessDrag(to: offset)
  }

  /// The user taps a control in a cell.
  private func press(_ random: inout SeededGenerator) {
    screen.layOut()
    guard let path = random.element(of: screen.visiblePaths),
      let cell = screen.cell(at: path) as? any ControlEventSource
    else { return }
    pressed = nil
    cell.onControlEvent?("like")
    #expect(pressed != nil && pressed == screen.adapter.itemID(at: path))
  }

  /// The user taps, swipes, deletes or moves a row, or changes editing mode.
  private func touch(_ random: inout SeededGenerator) {
    screen.layOut()
    let path = random.element(of: screen.visiblePaths)
    if random.percent(20) { return changeEditing() }
    guard let path else { return }
    let table = screen.table?.headless
    switch random.number(0..<8) {
    case 0 where !isEditing && !isSwiping: isSwiping = table?.beginSwipe(rowAt: path) ?? false
    case 1:
      table?.deleteRow(at: path)
      endSwipe()
    case 2..<4:
      endSwipe()
      if let target = random.element(of: screen.visiblePaths) {
        table?.dragRow(at: path, to: target)
      }
      screen.collection?.beginInteractiveMovementForItem(at: path)
    default:
      endSwipe()
      tap(path)
    }
  }

  private func changeEditing() {
    // If the mode begins and ends between two looks of the adapter, it sees no difference.
    if unnoticedEditing != nil { return }
    unnoticedEditing = screen.adapter.provider.revision
    endSwipe()
    let isOn = isEditing
    screen.collection?.isEditing = !isOn
    screen.table?.setEditing(!isOn, animated: true)
    selectedInEditing = []
  }

  private func tap(_ path: IndexPath) {
    guard let item = screen.adapter.itemID(at: path) else { return }
    screen.tap(path)
    unnoticedEditing = nil
    if !isEditing {
      selected = [item]
    } else if selectedInEditing.remove(item) == nil {
      selectedInEditing.insert(item)
    }
  }

  /// The user moves the item in hand, drops it, or lets it go back.
  private func goOnMoving(_ random: inout SeededGenerator) {
    guard let view = screen.collection else { return }
    if let path = random.element(of: view.indexPathsForVisibleItems),
      let center = view.layoutAttributesForItem(at: path)?.center
    {
      view.updateInteractiveMovementTargetPosition(center)
    }
    switch random.number(0..<4) {
    case 0: scroll(&random)
    case 1: view.cancelInteractiveMovement()
    default: view.endInteractiveMovement()
    }
  }

  private func endSwipe() {
    screen.table?.headless.endSwipe()
    isSwiping = false
  }

  private func endDrag() {
    screen.collection?.headless.endDragSession()
    screen.table?.headless.endDragSession()
  }

  /// The user ends everything, and looks at the list.
  func comeToRest() {
    endSwipe()
    screen.collection?.cancelInteractiveMovement()
    endDrag()
    if isAway { screen.window.addSubview(view) }
  }

  // MARK: What must hold

  /// Brings the screen on, and some of its animations to an end: what the user sees stays in place.
  func turn(_ random: inout SeededGenerator) {
    screen.layOut()
    let seen = firstInSight()
    screen.adapter.update()
    if random.percent(60) { screen.finishAnimations() }
    screen.layOut()
    if let seen { expectInPlace(seen) }
    forgetGoneItems()
    expectSelection()
  }

  /// The first item in sight and its place on the screen; `nil` at the top.
  private func firstInSight() -> ListViewState.Anchor? {
    guard !isAway, view.contentOffset.y + view.adjustedContentInset.top > 0.5 else { return nil }
    for path in screen.visiblePaths.sorted() {
      guard let item = screen.adapter.itemID(at: path), let frame = screen.frame(of: item),
        frame.maxY > view.contentOffset.y
      else { continue }
      return ListViewState.Anchor(item: item, offset: frame.minY - view.contentOffset.y)
    }
    return nil
  }

  /// The item has the same place on the screen, unless the content is too short for that.
  private func expectInPlace(_ anchor: ListViewState.Anchor) {
    guard let frame = screen.frame(of: anchor.item) else { return }
    let insets = view.adjustedContentInset
    let start = -insets.top
    let end = max(start, view.contentSize.height + insets.bottom - view.bounds.height)
    let offset = frame.minY - anchor.offset
    let isThere = offset < start || offset > end || abs(view.contentOffset.y - offset) < 0.5
    #expect(isThere, "\(screen.kind): \(anchor) is \(view.contentOffset.y - offset) points away")
  }

  private func forgetGoneItems() {
    let provider = screen.adapter.provider
    selected = selected.filter { provider.path(of: $0) != nil }
    selectedInEditing = selectedInEditing.filter { provider.path(of: $0) != nil }
  }

  /// What the user selected is selected, wherever it is by now, and nothing else.
  private func expectSelection() {
    guard unnoticedEditing == nil, !isSwiping else { return }
    let adapter = screen.adapter
    let found = Set(screen.selectedPaths.compactMap { adapter.itemID(at: $0) })
    let expected = isEditing ? selectedInEditing : selected
    #expect(found.count == screen.selectedPaths.count)
    #expect(found == expected.filter { adapter.indexPath(of: $0) != nil })
  }
}
