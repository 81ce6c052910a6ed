/// The counts that a view knows of its list, and the batch update that it is collecting.
@MainActor final class ListSession {
  let wording: UpdateWording
  /// The number of items in each section; `nil` if the data source has to be asked.
  var counts: [Int]?
  /// Whether the view refused a batch update.
  ///
  /// Only a reload helps then.
  private(set) var isFrozen = false
  private var depth = 0
  private var operations = UpdateOperations()
  private var completions: [(Bool) -> Void] = []
  /// The completions of batch updates whose animations are running.
  private var waiting: [(Bool) -> Void] = []

  init(_ wording: UpdateWording) { self.wording = wording }

  /// Whether a batch update is being collected.
  var isUpdating: Bool { depth > 0 }

  /// Whether animations are running.
  var isAnimating: Bool { !waiting.isEmpty }

  /// Forgets the counts.
  func reload() {
    if isUpdating {
      HeadlessException(
        .hazard,
        "reloadData inside a batch update: its operations no longer fit the data, and versions of "
          + "UIKit differ in what follows"
      ).raise()
      return
    }
    isFrozen = false
    counts = nil
  }

  func exists(_ place: UpdatePlace) -> Bool {
    guard let counts, counts.indices.contains(place.section) else { return false }
    return place.isSection || (0..<counts[place.section]).contains(place.item)
  }

  /// Begins a batch update, or one inside another.
  func begin(counting count: () -> [Int]) {
    // The counts before are those at entry, even if the app changed its model before.
    if depth == 0, counts == nil { counts = count() }
    depth += 1
  }

  func record(_ change: (inout UpdateOperations) -> Void) { change(&operations) }

  /// Ends a batch update.
  ///
  /// - Parameters:
  ///   - completion: Called when the animations are over.
  ///   - count: Asks the data source for the counts after the update.
  /// - Returns: The new places, if this was the outermost batch update and it is legal.
  func end(completion: ((Bool) -> Void)?, counting count: () -> [Int]) -> UpdateMap? {
    // The outer completion is called first, then those of the batch updates inside, in order.
    if depth == 1 {
      if let completion { completions.insert(completion, at: 0) }
    } else if let completion {
      completions.append(completion)
    }
    depth -= 1
    guard depth == 0, let before = counts else { return nil }
    let told = operations
    let toCall = completions
    operations = UpdateOperations()
    completions = []
    if isFrozen {
      HeadlessException(
        .hazard, "the view refused an earlier batch update; call reloadData before the next one"
      ).raise()
      return nil
    }
    let after = count()
    do throws(HeadlessException) {
      let map = try UpdateRules(told, before: before, after: after, wording: wording).check()
      counts = after
      waiting += toCall
      return map
    } catch {
      isFrozen = true
      error.raise()
      return nil
    }
  }

  /// Raises the exception for a batch update while the user drags something out of the view.
  func raiseUpdateDuringDrag() {
    HeadlessException(
      .hazard,
      "a batch update during a drag: the paths of the dragged items are those before the update, so "
        + "that the drop goes to the wrong place"
    ).raise()
  }

  /// Raises the exception for a batch update while the user moves an item in the view.
  func raiseUpdateDuringMovement() {
    HeadlessException(
      .hazard,
      "a batch update while the user moves an item: its paths are those from before the move, so that "
        + "UIKit fails when the item is dropped; wait until hasUncommittedUpdates is false"
    ).raise()
  }

  /// Keeps a completion until the animations are over.
  func wait(for completion: @escaping (Bool) -> Void) { waiting.append(completion) }

  /// Ends the animations, and returns their completions.
  func finish() -> [(Bool) -> Void] {
    defer { waiting = [] }
    return waiting
  }
}
