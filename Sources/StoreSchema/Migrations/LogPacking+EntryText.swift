import ListModel

extension LogPacking {
  /// The text of an entry.
  struct EntryText {
    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(96) }

    mutating func begin(_ operation: Int, name: ColumnBytes? = nil) {
      bytes.append(UInt8(ascii: "["))
      append(digitsOf: operation)
      if let name {
        bytes.append(UInt8(ascii: ","))
        append(quoted: name)
      }
    }

    mutating func append(_ numbers: Int...) {
      for number in numbers {
        bytes.append(UInt8(ascii: ","))
        append(digitsOf: number)
      }
    }

    mutating func append(json: String) {
      bytes.append(UInt8(ascii: ","))
      bytes.append(contentsOf: json.utf8)
    }

    mutating func beginArray() { bytes += [UInt8(ascii: ","), UInt8(ascii: "[")] }

    mutating func beginItem(name: ColumnBytes) {
      if bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "["))
      append(quoted: name)
    }

    mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    mutating func end() -> [UInt8] {
      endArray()
      return bytes
    }

    private mutating func append(digitsOf number: Int) {
      if (0..<10).contains(number) {
        bytes.append(UInt8(ascii: "0") + UInt8(number))
      } else {
        bytes.append(contentsOf: String(number).utf8)
      }
    }

    private mutating func append(quoted name: ColumnBytes) {
      JSONWriter.append(quoted: String(decoding: name, as: UTF8.self), to: &bytes)
    }
  }
}
