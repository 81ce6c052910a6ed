import ListModel
import StoreFiles

/// The pseudonyms of ids and names: the same text has the same one everywhere in a store, and no
/// other text has it.
///
/// A pseudonym has as many bytes as its original; more only if short ones are taken. It depends on a
/// key, so that nobody can tell from a known id whether the store had it.
///
/// It stores numbers instead of texts, because there may be millions: about 50 bytes a text.
final class Pseudonyms {
  /// The attempt that gave a text its pseudonym, by the text's number.
  private var attempts: [UInt64: Int] = [:]
  /// The hashes of all pseudonyms.
  private var taken: Set<UInt64> = []
  private let key: [UInt8]

  /// How often a length is tried before a longer one.
  private static let attemptsForLength = 8

  init(key: [UInt8]) { self.key = key }

  /// The pseudonym of a text.
  func name(for original: String) -> String {
    let number = number(for: original)
    let count = original.utf8.count
    if let attempt = attempts[number] { return Self.text(number, attempt, count) }
    var attempt = 0
    while true {
      let name = Self.text(number, attempt, count)
      if taken.insert(XXHash64.hash(name)).inserted, !name.utf8.elementsEqual(original.utf8) {
        attempts[number] = attempt
        return name
      }
      attempt += 1
    }
  }

  /// A number that only the key and a text determine.
  func number(for text: String) -> UInt64 {
    Digest.sha256(key + Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func text(_ number: UInt64, _ attempt: Int, _ originalCount: Int) -> String {
    let count = originalCount + attempt / attemptsForLength
    let letters = JSONFiller.letters
    return String(unsafeUninitializedCapacity: count) { bytes in
      var bits: UInt64 = 0
      for index in 0..<count {
        if index % 16 == 0 {
          bits = XXHash64.hash(UInt64(attempt) << 32 | UInt64(index), seed: number)
        }
        bytes[index] = letters[Int(bits % UInt64(letters.count))]
        bits /= UInt64(letters.count)
      }
      return count
    }
  }
}
