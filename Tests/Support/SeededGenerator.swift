import Foundation

/// SplitMix64: the same numbers for the same seed, on every platform.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The numbers of a seed.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in a range.
  public mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

  /// `true` in `part` of 100 cases.
  public mutating func percent(_ part: Int) -> Bool { number(0..<100) < part }

  /// `true` in one of so many cases.
  public mutating func oneIn(_ times: Int) -> Bool { number(0..<times) == 0 }

  /// A number below a bound; 0 if there is none.
  public mutating func below(_ bound: Int) -> Int { bound > 0 ? number(0..<bound) : 0 }

  /// One of the elements, `nil` if there is none.
  public mutating func element<Element>(of elements: [Element]) -> Element? {
    elements.randomElement(using: &self)
  }
}

extension SeededGenerator {
  /// How many seeds a random test takes: so many, times `CELLAR_SEEDS` where that is set.
  public static func count(_ usual: Int) -> Int {
    usual * max(1, factor)
  }

  /// Whether `CELLAR_SEEDS` asks for more than the usual, which is what runs for a minute and more.
  public static var asksForMore: Bool { factor > 1 }

  private static let factor =
    ProcessInfo.processInfo.environment["CELLAR_SEEDS"].flatMap { Int($0) } ?? 1
}
