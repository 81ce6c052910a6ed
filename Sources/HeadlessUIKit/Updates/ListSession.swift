/// What a view believes that its list holds, and the batch that it is told.
@MainActor final class ListSession {
  let wording: UpdateWording
  /// How many items each section holds; `nil` if the data source is to be asked.
  var counts: [Int]?
  /// Whether a batch was refused, after which only a reload helps.
  private(set) var isFrozen = false
  private var depth = 0
  private var operations = UpdateOperations()
  private var completions: [(Bool) -> Void] = []
  /// Completions of batches whose animations are not over.
  private var waiting: [(Bool) -> Void] = []

  init(_ wording: UpdateWording) { self.wording = wording }

  /// Whether a batch is told.
  var isUpdating: Bool { depth > 0 }

  /// Whether animations are not over.
  var isAnimating: Bool { !waiting.isEmpty }

  /// Forgets what it believed.
  func reload() {
    if isUpdating {
      HeadlessException(
        .hazard,
        "reloadData inside a batch update: what the batch says means nothing then, and versions "
          + "differ in what they do"
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

  /// Begins a batch, or one inside another.
  func begin(counting count: () -> [Int]) {
    // The counts before are those at entry, whatever the app did to its model before.
    if depth == 0, counts == nil { counts = count() }
    depth += 1
  }

  func record(_ change: (inout UpdateOperations) -> Void) { change(&operations) }

  /// Ends a batch.
  ///
  /// - Parameters:
  ///   - completion: Called when the animations are over.
  ///   - count: Asks the data source for the counts after.
  /// - Returns: Where things go, if this was the outermost batch and it is legal.
  func end(completion: ((Bool) -> Void)?, counting count: () -> [Int]) -> UpdateMap? {
    // The outer completion comes first, then those of the batches inside, in order.
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
        .hazard, "a batch was refused and no reloadData followed; the view shows nothing certain"
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

  /// The view is told a batch while the user drags something out of it.
  func raiseUpdateDuringDrag() {
    HeadlessException(
      .hazard,
      "a batch update while a drag session is on: the paths of what is dragged are those before it, "
        + "and what is dropped goes to the wrong place"
    ).raise()
  }

  /// Keeps a completion until the animations are over.
  func wait(for completion: @escaping (Bool) -> Void) { waiting.append(completion) }

  /// Takes the completions of the animations that are over.
  func finish() -> [(Bool) -> Void] {
    defer { waiting = [] }
    return waiting
  }
}
