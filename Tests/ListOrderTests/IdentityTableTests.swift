import ListOrder
import TestSupport
import Testing

/// The identity table against a dictionary.
@Suite struct IdentityTableTests {
  /// Names by handle, and the table that finds the handles.
  private struct Pair {
    var table: IdentityTable
    var names: [String?] = []
    var hashes: [Int] = []
    var handles: [String: Int32] = [:]
    /// How many different hashes there are: few, so that names share one.
    let hashCount: Int

    init(expecting count: Int = 0, hashCount: Int) {
      table = IdentityTable(expecting: count)
      self.hashCount = hashCount
    }

    private func hash(_ name: String) -> Int {
      name.utf8.reduce(17) { ($0 &* 31 &+ Int($1)) & .max } % hashCount
    }

    mutating func insert(_ name: String) {
      let handle = Int32(names.count)
      names.append(name)
      hashes.append(hash(name))
      handles[name] = handle
      table.insert(handle, hash: hash(name)) { [hashes] in hashes[Int($0)] }
    }

    mutating func remove(_ name: String) {
      guard let handle = handles.removeValue(forKey: name) else { return }
      table.remove(handle, hash: hash(name))
      names[Int(handle)] = nil
    }

    func handle(of name: String) -> Int32? {
      table.find(hash: hash(name)) { names[Int($0)] == name }
    }
  }

  @Test(arguments: [1, 7, 1 << 40])
  func everyNameIsFoundWhateverTheHashesAre(_ hashCount: Int) {
    for seed in 0..<4 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var pair = Pair(hashCount: hashCount)
      let names = (0..<(hashCount == 1 ? 60 : 400)).map { "name \($0)" }
      for _ in 0..<3_000 {
        let name = names[generator.number(0..<names.count)]
        if pair.handles[name] == nil { pair.insert(name) } else { pair.remove(name) }
      }
      for name in names {
        #expect(pair.handle(of: name) == pair.handles[name], "seed \(seed), \(name)")
      }
    }
  }

  @Test func aTableThatExpectsNothingGrows() {
    var pair = Pair(hashCount: 1 << 40)
    for number in 0..<20_000 { pair.insert("\(number)") }
    for number in 0..<20_000 { #expect(pair.handle(of: "\(number)") == Int32(number)) }
    #expect(pair.handle(of: "20000") == nil)
  }

  @Test func aCopyKeepsWhatItHeld() {
    var pair = Pair(expecting: 500, hashCount: 1 << 40)
    for number in 0..<500 { pair.insert("\(number)") }
    let copy = pair
    for number in 0..<250 { pair.remove("\(number)") }
    pair.insert("new")
    for number in 0..<500 {
      #expect(copy.handle(of: "\(number)") == Int32(number))
      #expect(pair.handle(of: "\(number)") == (number < 250 ? nil : Int32(number)))
    }
    #expect(copy.handle(of: "new") == nil)
  }
}
