import ListModel

extension ReportPage {
  /// The evidence of the files.
  var files: HTML {
    let rows = evidence.files.map { file -> [HTML] in
      [
        "\(file.path)", "\(Shown.number(file.byteCount))",
        "\(Shown.time(file.modifiedAt / 1_000_000))",
      ]
    }
    var facts: [(String, String)] = []
    if let header = evidence.header {
      facts.append(
        (
          "Header",
          "\(Shown.count(header.pageCount, "page")) of \(Shown.count(header.pageSize, "byte")), "
            + "\(Shown.number(header.presentPageCount)) in the file; schema version "
            + "\(header.schemaVersion); last written by SQLite \(Self.version(header.sqliteVersion))"
        ))
    } else {
      facts.append(("Header", "not that of a database"))
    }
    if let log = evidence.log {
      let parts = [
        Shown.count(log.commitCount, "commit") + " with " + Shown.count(log.frameCount, "page"),
        log.uncommittedByteCount > 0
          ? Shown.count(log.uncommittedByteCount, "byte") + " not committed" : nil,
        log.tornByteCount > 0 ? Shown.count(log.tornByteCount, "byte") + " torn" : nil,
      ]
      facts.append(("Write-ahead log", parts.compactMap(\.self).joined(separator: ", ")))
    }
    if let journal = evidence.journal {
      facts.append(
        (
          "Rollback journal",
          (journal.isPending ? "takes back a transaction of " : "done with, ")
            + Shown.count(journal.pageCount, "page")
        ))
    }
    let terms = facts.map { "<dt>\($0)</dt><dd>\($1)</dd>" as HTML }
    return """
      <section id="files" class="panel" aria-labelledby="files-title">\
      <h2 id="files-title">Files</h2>\
      \(HTML.table("Files", ["Path", "Bytes#", "Changed"], rows))<dl>\(HTML(terms))</dl></section>
      """
  }

  private static func version(_ number: Int) -> String {
    "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
  }
}

extension ReportPage {
  /// Numbers of bytes as bars, to scale, the largest first.
  static func bars(_ parts: [(name: String, byteCount: Int)], _ caption: String) -> HTML {
    let parts = parts.filter { $0.byteCount > 0 }
      .sorted { ($1.byteCount, $0.name) < ($0.byteCount, $1.name) }.prefix(40)
    guard let greatest = parts.first?.byteCount else { return "" }
    let rows = parts.map { name, byteCount -> [HTML] in
      let width = Int((Double(byteCount) / Double(greatest) * 200).rounded())
      return [
        "\(Shown.cut(name, to: 80))", "\(Shown.bytes(byteCount))",
        """
        <svg class="bar" viewBox="0 0 200 10" preserveAspectRatio="none" aria-hidden="true">\
        <rect width="\(max(1, width))" height="10"/></svg>
        """,
      ]
    }
    return "<h3>\(caption)</h3>\(HTML.table(caption, ["What", "Bytes#", "Share"], rows))"
  }
}

extension SizeHistogram {
  func figure(_ cells: CellColors) -> HTML {
    let (count, range, bars) = (lengths.count, lengths.range, lengths.histogram(of: 24))
    let (least, greatest) = (Shown.points(range.lowerBound), Shown.points(range.upperBound))
    let greatestBar = max(1, bars.max() ?? 1)
    let columns = bars.enumerated().map { place, count -> HTML in
      let height = count == 0 ? 0 : max(1, count * 60 / greatestBar)
      return """
        <rect x="\(place * 10)" y="\(60 - height)" width="9" height="\(height)">\
        <title>\(Shown.count(count, "size"))</title></rect>
        """
    }
    return """
      <figure class="cell-color \(cells.look(of: cell))"><figcaption>\
      <strong>\(Shown.cut(cell, to: 60))</strong> \(Shown.count(count, "size"))</figcaption>\
      <svg viewBox="0 0 240 60" role="img" aria-label="\(Shown.count(count, "size")) from \
      \(least) to \(greatest) points">\(HTML(columns))</svg>\
      <div class="scale"><span>\(least)</span>\
      <span>mean \(Shown.points(lengths.sum / Double(count)))</span>\
      <span>\(greatest)</span></div></figure>
      """
  }
}
