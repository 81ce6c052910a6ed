import ListModel
import StoreFiles

/// The pseudonyms of ids and names: the same text has the same one everywhere in a store.
///
/// A pseudonym has as many bytes as its original; more only if all short ones are taken. It depends
/// on a key, so that nobody can tell from a known id whether the store had it. No six bytes in a row
/// of it occur in a row in an original text.
///
/// It stores numbers instead of texts, because there may be millions.
final class Pseudonyms {
  /// The attempt that gave an original's pseudonym, by the original's hash, if not the first one.
  private var attempts: [UInt64: Int] = [:]
  private var hashes: [UInt64: UInt64] = [:]
  private var taken: Set<UInt64> = []
  private let key: [UInt8]
  private let originals: TextFilter

  /// Consonants: they form no words.
  private static let alphabet = Array("bcdfghjklmnpqrstvwxz".utf8)
  /// The last three bytes of a longer one, so that with the number that follows it in a row it looks
  /// like no text either.
  private static let lastLetters = Array("jqxz".utf8)
  /// How often a length is tried before a longer one.
  private static let attemptsForLength = 200

  init(key: [UInt8], avoiding originals: TextFilter) {
    self.key = key
    self.originals = originals
  }

  /// The pseudonym of a text.
  func name(for original: String) -> String {
    let hash = XXHash64.hash(original)
    let seed = number(for: original)
    if hashes[hash] != nil { return text(seed, attempts[hash] ?? 0, for: original) }
    var attempt = 0
    while true {
      let name = text(seed, attempt, for: original)
      let nameHash = XXHash64.hash(name)
      if !originals.hasShortText(name), !originals.mayContainPart(of: Array(name.utf8)),
        taken.insert(nameHash).inserted
      {
        if attempt > 0 { attempts[hash] = attempt }
        hashes[hash] = nameHash
        return name
      }
      attempt += 1
    }
  }

  /// The hash of the pseudonym of the text that has a hash; `nil` if there is none so far.
  func hash(forHash hash: UInt64) -> UInt64? { hashes[hash] }

  /// A number that only the key and a text determine.
  func number(for text: String) -> UInt64 {
    Digest.sha256(key + Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func text(_ seed: UInt64, _ attempt: Int, for original: String) -> String {
    let count = original.utf8.count + attempt / Self.attemptsForLength
    var bits: UInt64 = 0
    let bytes = (0..<count).map { index in
      if index % 12 == 0 {
        bits = XXHash64.hash(UInt64(attempt) << 32 | UInt64(index), seed: seed)
      }
      defer { bits /= UInt64(Self.alphabet.count) }
      let alphabet = count >= 8 && index >= count - 3 ? Self.lastLetters : Self.alphabet
      return alphabet[Int(bits % UInt64(alphabet.count))]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
