import ListModel

extension LogPacking {
  /// An entry as it is in a row of `change`.
  struct Entry {
    var json: [UInt8]
    /// `nil` if some are not known.
    var seams: [Seam]? = []
    /// The hash of the section or item that it names.
    var member = Seam.none
  }

  /// The row of `change` that is being filled, from its end.
  struct Chunk {
    var list = 0
    var revision = 0
    private(set) var entries: [Entry] = []
    private var byteCount = 0

    /// With its list, its revision and SQLite's header, a row of so many bytes fills a page.
    private static let maximumByteCount = 3_900

    func hasRoom(for entry: Entry) -> Bool {
      entries.isEmpty || byteCount + Self.byteCount(of: entry) <= Self.maximumByteCount
    }

    /// Seams are counted as they are behind one another; what differs takes more.
    private static func byteCount(of entry: Entry) -> Int {
      entry.json.count + 1 + (entry.seams ?? []).count * 2
    }

    mutating func append(_ entry: Entry) {
      byteCount += Self.byteCount(of: entry)
      // Hashes that do not follow from the entry before, which is the next one to come.
      if let last = entries.last, let seam = last.seams?.first, seam.previous != entry.member {
        byteCount += 16
      }
      entries.append(entry)
    }

    mutating func removeEntries() {
      entries = []
      byteCount = 0
    }

    var json: [UInt8] {
      var json: [UInt8] = [UInt8(ascii: "[")]
      for entry in entries.reversed() {
        if json.count > 1 { json.append(UInt8(ascii: ",")) }
        json += entry.json
      }
      json.append(UInt8(ascii: "]"))
      return json
    }

    /// `nil` if those of an entry are missing.
    var seams: [UInt8]? {
      var writer = SeamWriter()
      for entry in entries.reversed() {
        guard let seams = entry.seams else { return nil }
        writer.append(seams, member: entry.member)
      }
      return writer.bytes
    }
  }
}
