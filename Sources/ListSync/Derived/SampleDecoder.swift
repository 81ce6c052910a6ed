import Foundation

/// Decodes made-up values of an app's type, to find out under which names it encodes its properties.
///
/// Values are hashes of where they stand and of the sample's number: two that are equal in one sample, as
/// booleans and small numbers may be, differ in another.
struct SampleDecoder: Decoder {
  /// Which sample it is.
  let number: Int
  /// Whether optional values may be missing.
  let hasGaps: Bool
  /// Values that can't be made up, and that a sample does without.
  let absent: Set<[String]>
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// A value that can't be made up.
  struct Failure: Error {
    /// Where it is asked for.
    let path: [String]
    let type: any Any.Type
  }

  /// A made-up value of a type.
  ///
  /// - Throws: ``Failure``.
  static func sample<Value: Decodable>(
    _ type: Value.Type, number: Int, hasGaps: Bool
  ) throws -> Value {
    var absent: Set<[String]> = []
    while true {
      let decoder = SampleDecoder(number: number, hasGaps: hasGaps, absent: absent, codingPath: [])
      do { return try decoder.value(type) } catch let failure as Failure {
        // What can't do without it, is done without.
        var path = failure.path
        while !path.isEmpty, absent.contains(path) { path.removeLast() }
        guard !path.isEmpty else { throw failure }
        absent.insert(path)
      }
    }
  }

  fileprivate var path: [String] { codingPath.map(\.stringValue) }

  /// A number that stands for the place and the sample.
  private var seed: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 &+ UInt64(number) &* 0x9e37_79b9_7f4a_7c15
    for name in path {
      for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0x2f) &* 0x100_0000_01b3
    }
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    return hash ^ (hash >> 31)
  }

  fileprivate func at(_ key: any CodingKey) -> SampleDecoder {
    SampleDecoder(
      number: number, hasGaps: hasGaps, absent: absent, codingPath: codingPath + [key])
  }

  fileprivate var isMissing: Bool {
    absent.contains(path) || hasGaps && seed & 0x1000 == 0
  }

  fileprivate func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let known: Any? =
      switch type {
      case is Date.Type: Date(timeIntervalSinceReferenceDate: real)
      case is URL.Type: URL(string: "https://sample.test/\(text)")
      case is Data.Type: Data(text.utf8)
      case is Decimal.Type: Decimal(integer())
      case is UUID.Type:
        UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012llx", seed >> 16))
      default: Self.anyCase(of: type, number: seed)
      }
    if let known = known as? Value { return known }
    do { return try Value(from: self) } catch let failure as Failure { throw failure } catch {
      throw Failure(path: path, type: type)
    }
  }

  private static func anyCase(of type: any Decodable.Type, number: UInt64) -> Any? {
    func choose<Cases: CaseIterable>(_ type: Cases.Type) -> Any? {
      let all = Array(type.allCases)
      return all.isEmpty ? nil : all[Int(number >> 8) % all.count]
    }
    guard let type = type as? any CaseIterable.Type else { return nil }
    return choose(type)
  }

  fileprivate var bool: Bool { seed & 0x100 == 0 }
  fileprivate var text: String { "Sample\(seed % 1_000_003)" }
  fileprivate var real: Double { Double(seed % 1_000_003) + 0.25 }
  /// At least 1, and small enough for each integer type.
  fileprivate func integer() -> Int { Int(seed % 125) + 1 }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Members(decoder: self))
  }
  func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(decoder: self) }
  func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }
}

extension SampleDecoder {
  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: SampleDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    // A dictionary has none.
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { !decoder.at(key).isMissing }
    func decodeNil(forKey key: Key) -> Bool { decoder.at(key).isMissing }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      let inner = decoder.at(key)
      if decoder.absent.contains(inner.path) { throw Failure(path: inner.path, type: type) }
      return try inner.value(type)
    }
    func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Inner> {
      decoder.at(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
      decoder.at(key).unkeyedContainer()
    }
    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { decoder.at(key) }
  }

  /// An array of one element.
  private struct Elements: UnkeyedDecodingContainer {
    let decoder: SampleDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex > 0 }
    var currentIndex = 0

    private struct Index: CodingKey {
      var intValue: Int?
      var stringValue: String { "\(intValue ?? 0)" }
      init(intValue: Int) { self.intValue = intValue }
      init?(stringValue: String) { nil }
    }

    private mutating func next() -> SampleDecoder {
      defer { currentIndex += 1 }
      return decoder.at(Index(intValue: currentIndex))
    }
    mutating func decodeNil() -> Bool { false }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try next().value(type)
    }
    mutating func nestedContainer<Key: CodingKey>(
      keyedBy type: Key.Type
    ) -> KeyedDecodingContainer<Key> {
      next().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
      next().unkeyedContainer()
    }
    mutating func superDecoder() -> any Decoder { next() }
  }

  private struct Single: SingleValueDecodingContainer {
    let decoder: SampleDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { false }
    func decode(_ type: Bool.Type) -> Bool { decoder.bool }
    func decode(_ type: String.Type) -> String { decoder.text }
    func decode(_ type: Double.Type) -> Double { decoder.real }
    func decode(_ type: Float.Type) -> Float { Float(decoder.integer()) + 0.25 }
    func decode(_ type: Int.Type) -> Int { decoder.integer() }
    func decode(_ type: Int8.Type) -> Int8 { Int8(decoder.integer()) }
    func decode(_ type: Int16.Type) -> Int16 { Int16(decoder.integer()) }
    func decode(_ type: Int32.Type) -> Int32 { Int32(decoder.integer()) }
    func decode(_ type: Int64.Type) -> Int64 { Int64(decoder.integer()) }
    func decode(_ type: UInt.Type) -> UInt { UInt(decoder.integer()) }
    func decode(_ type: UInt8.Type) -> UInt8 { UInt8(decoder.integer()) }
    func decode(_ type: UInt16.Type) -> UInt16 { UInt16(decoder.integer()) }
    func decode(_ type: UInt32.Type) -> UInt32 { UInt32(decoder.integer()) }
    func decode(_ type: UInt64.Type) -> UInt64 { UInt64(decoder.integer()) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      // A type that is stored as another one.
      try decoder.value(type)
    }
  }
}
