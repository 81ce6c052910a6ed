import ListLayout
import ListModel
import Providers

/// The sizes and labels with which a list is drawn, at its head or at an earlier revision.
///
/// The store has the sizes of the items that the list has now. An item of an earlier revision takes
/// the size that it has now, as an estimate unless its cell and content are the same.
final class DrawingSource {
  private let head: Provider
  private let view: DrawingView
  private let content: Inspection.ContentDetail
  private var known: [ItemID: Known] = [:]
  private var labels: [ItemID: (item: Item, why: String?, label: ListDrawing.Label)] = [:]
  private var means: [CellName: (sum: Double, count: Int)] = [:]

  /// A size to draw with.
  struct Found {
    var size: Size
    var known: ListDrawing.KnownSize
    /// Why it is an estimate.
    var why: String?
  }

  private struct Known {
    var answer: SizeAnswer
    var cell: CellName
    var contentRevision: Int
  }

  /// Takes the sizes from a list at its head.
  init(_ head: Provider, in view: DrawingView, content: Inspection.ContentDetail) {
    self.head = head
    self.view = view
    self.content = content
  }

  /// The label of an item; hashing a content takes longer than drawing it.
  func label(of item: Item, _ why: String?) -> ListDrawing.Label {
    if let known = labels[item.id], known.item == item, known.why == why { return known.label }
    let label = ListDrawing.Label(item, why, content)
    labels[item.id] = (item, why, label)
    return label
  }

  /// The label of a header or footer.
  func label(
    of kind: Supplementary.Kind, _ view: Supplementary, inSection id: SectionID?
  ) -> ListDrawing.Label {
    ListDrawing.Label(kind, view, of: id?.rawValue ?? "", content)
  }

  /// The size of an item of a list at any revision.
  func size(at path: ItemPath, of list: Provider) -> Found {
    let metrics = SectionMetrics(ofReported: list.attributes(ofSection: path.section)?.layout)
    guard let id = list.itemID(at: path), let state = list.cell(at: path) else {
      return missing(metrics, nil)
    }
    guard let known = known(id) else { return missing(metrics, state.cell) }
    let isSame = known.cell == state.cell && known.contentRevision == state.contentRevision
    switch known.answer {
    case .exact(let size) where isSame: return Found(size: size, known: .exact, why: nil)
    case .exact(let size):
      return Found(
        size: size, known: .estimate,
        why: "\(Self.text(size)), the size that it has at the last revision")
    case .estimate(let size, let why):
      return Found(
        size: size, known: .estimate, why: "\(Self.text(size)), an estimate: \(why.description)")
    case .missing: return missing(metrics, state.cell)
    }
  }

  private static func text(_ size: Size) -> String {
    "\(Shown.points(size.width)) × \(Shown.points(size.height)) points"
  }

  private func known(_ id: ItemID) -> Known? {
    if let found = known[id] { return found }
    guard let path = head.path(of: id), let state = head.cell(at: path) else { return nil }
    let metrics = SectionMetrics(ofReported: head.attributes(ofSection: path.section)?.layout)
    let found = Known(
      answer: head.size(at: path, for: view.key(metrics)), cell: state.cell,
      contentRevision: state.contentRevision)
    known[id] = found
    switch found.answer {
    case .exact(let size), .estimate(let size, _):
      let length = view.container.axis == .vertical ? size.height : size.width
      let mean = means[state.cell] ?? (0, 0)
      means[state.cell] = (mean.sum + length, mean.count + 1)
    case .missing: break
    }
    return found
  }

  /// The mean of the cell's sizes that were seen, or of all.
  private func missing(_ metrics: SectionMetrics, _ cell: CellName?) -> Found {
    let mean =
      cell.flatMap { means[$0] }
      ?? means.values.reduce((sum: 0, count: 0)) { ($0.sum + $1.sum, $0.count + $1.count) }
    let length = mean.count > 0 ? mean.sum / Double(mean.count) : DrawingView.plainLength
    let breadth = metrics.fittingLength(in: view.container).points
    let size =
      view.container.axis == .vertical
      ? Size(width: breadth, height: length) : Size(width: length, height: breadth)
    return Found(size: size, known: .missing, why: "not measured")
  }

  // MARK: Headers and footers

  /// The length of a header or footer; `nil` if the section has none.
  func length(
    of kind: Supplementary.Kind, _ attributes: SectionAttributes, inSection index: Int,
    of list: Provider
  ) -> Double? {
    guard attributes[kind] != nil else { return nil }
    switch answer(of: kind, inSection: index, of: list) {
    case .exact(let size), .estimate(let size, _):
      return view.container.axis == .vertical ? size.height : size.width
    case .missing: return DrawingView.plainLength
    }
  }

  /// How much is known of the size of a header or footer.
  func known(
    of kind: Supplementary.Kind, inSection index: Int, of list: Provider
  ) -> ListDrawing.KnownSize {
    switch answer(of: kind, inSection: index, of: list) {
    case .exact:
      list.attributes(ofSection: index) == headAttributes(index, list) ? .exact : .estimate
    case .estimate: .estimate
    case .missing: .missing
    }
  }

  private func answer(
    of kind: Supplementary.Kind, inSection index: Int, of list: Provider
  ) -> SizeAnswer {
    guard let id = list.sectionID(at: index), let place = head.index(of: id) else {
      return .missing
    }
    let metrics = SectionMetrics(ofReported: head.attributes(ofSection: place)?.layout)
    return head.size(of: kind, inSection: place, for: view.key(of: kind, metrics))
  }

  private func headAttributes(_ index: Int, _ list: Provider) -> SectionAttributes? {
    list.sectionID(at: index).flatMap { head.index(of: $0) }.flatMap {
      head.attributes(ofSection: $0)
    }
  }
}
