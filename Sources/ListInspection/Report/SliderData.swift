import ListModel

/// What the page's script needs to show a list at its earlier revisions, as JSON.
struct SliderData {
  private let steps: [ReportedHistory.Step]
  /// The labels of each step's parts, as indexes.
  private let numbers: [[Int]]
  private var labels: [ListDrawing.Label] = []
  private let looks: [Int]
  /// The steps whose drawings are written.
  private var drawn: [Int]

  private static let bytesOfLabel = 40

  /// Takes the history of a list.
  ///
  /// It drops every second drawing until they take no more than so many bytes. The last one stays.
  init(_ list: ReportedList, _ cells: CellColors, mostBytes: Int) {
    steps = list.history.steps
    var known: [ListDrawing.Label: Int] = [:]
    var labels: [ListDrawing.Label] = []
    numbers = steps.map { step in
      (step.drawing?.parts ?? []).map { part in
        if let number = known[part.label] { return number }
        known[part.label] = labels.count
        labels.append(part.label)
        return labels.count - 1
      }
    }
    self.labels = labels
    looks = labels.map { cells.number(of: $0.cell) ?? -1 }
    drawn = steps.indices.filter { list.history.steps[$0].drawing != nil }
    while drawn.count > 1, byteCount > mostBytes {
      drawn = drawn.enumerated().filter { (drawn.count - 1 - $0.offset) % 2 == 0 }.map(\.element)
    }
  }

  private var usedLabels: [Int] {
    var isUsed = [Bool](repeating: false, count: labels.count)
    for step in drawn { for number in numbers[step] { isUsed[number] = true } }
    return labels.indices.filter { isUsed[$0] }
  }

  private var byteCount: Int {
    let parts = drawn.reduce(0) { $0 + numbers[$1].count }
    return usedLabels.reduce(parts * ListDrawing.Part.byteCount) { sum, number in
      let label = labels[number]
      return sum + label.text.utf8.count + label.detail.utf8.count + Self.bytesOfLabel
    }
  }

  // MARK: JSON

  var json: String {
    let used = usedLabels
    var places = [Int](repeating: 0, count: labels.count)
    for (place, number) in used.enumerated() { places[number] = place }
    let drawn = Set(drawn)
    return JSONWriter.object { writer in
      writer.member("labels", array: used) { writer, number in
        writer.object { writer in
          writer.member("text", ShownText.line(labels[number].text))
          writer.member("detail", ShownText.line(labels[number].detail))
          writer.member("look", looks[number])
        }
      }
      writer.member("steps", array: steps.indices) { writer, index in
        let step = steps[index]
        writer.object { writer in
          writer.member("revision", step.revision)
          writer.member("time", Shown.time(step.time))
          writer.member("author", ShownText.line(step.author))
          writer.member("changes", ShownText.line(step.summary))
          guard let drawing = step.drawing, drawn.contains(index) else { return }
          write(drawing, numbers[index].map { places[$0] }, to: &writer)
        }
      }
    }
  }

  /// Seven numbers a part: label, edges, how much is known of the size, whether it has changed.
  private func write(
    _ drawing: ListDrawing, _ labels: [Int], to writer: inout JSONWriter
  ) {
    writer.member("width", max(1, Shown.whole(drawing.size.width.rounded(.up))))
    writer.member("height", max(1, Shown.whole(drawing.size.height.rounded(.up))))
    writer.member(
      "parts",
      array: zip(drawing.parts, labels).flatMap { part, label in
        let (x, y, width, height) = ListDrawing.edges(part.frame)
        return [label, x, y, width, height, part.size.rawValue, part.isChanged ? 1 : 0]
      }
    ) { $0.value($1) }
  }
}
