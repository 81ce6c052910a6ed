public import ListModel
import ListStore
import Providers

/// A list that a screen can show: a ``LiveList``, or a ``DerivedList`` of one.
public protocol ShowableList: Sendable {
  /// The list as adapters read it.
  ///
  /// Of a derived list its edits throw: edit the list that it is derived from.
  var shown: LiveList { get }
}

extension LiveList: ShowableList {
  /// Itself.
  public var shown: LiveList { self }
}

// Without opening the list: for badges.
extension ShowableList {
  /// How many items the list has.
  ///
  /// One read transaction; no item is read. Items of hidden sections count.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: O(*s*), *s* sections; of a ``PassingList`` as that of showing it.
  public func count() throws(StoreError) -> Int {
    try sectionCounts().reduce(0) { $0 + $1.count }
  }

  /// How many items each section has, in the order of the sections.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: O(*s*), *s* sections.
  public func sectionCounts() throws(StoreError) -> [(section: SectionID, count: Int)] {
    try shown.counts()
  }

  /// How many items the list has, now and after each commit that changes it, of whatever process.
  ///
  /// ```swift
  /// for try await count in unread.counts() { badge.value = count }
  /// ```
  ///
  /// - Returns: A stream with one reader; equal counts are left out. It ends when the Repository is
  ///   closed.
  public func counts() -> AsyncThrowingStream<Int, any Error> {
    let reader = CountReader(list: shown, revisions: shown.signals())
    return AsyncThrowingStream { try await reader.next() }
  }
}

extension LiveList {
  fileprivate func counts() throws(StoreError) -> [(section: SectionID, count: Int)] {
    if query == nil {
      return try repository.itemCounts(of: id).map { ($0.section, $0.itemCount) }
    }
    // What a passing list has is in no table.
    let provider = try provider()
    return (0..<provider.numberOfSections).compactMap { index in
      provider.sectionID(at: index).map { ($0, provider.numberOfItems(inSection: index)) }
    }
  }
}

/// Reads the count of a list, when its reader asks for the next one.
private actor CountReader {
  private let list: LiveList
  private let revisions: AsyncStream<Int>
  private var last: Int?

  init(list: LiveList, revisions: AsyncStream<Int>) {
    self.list = list
    self.revisions = revisions
  }

  func next() async throws -> Int? {
    if last == nil { return try read() }
    for await _ in revisions {
      let before = last
      guard let count = try read() else { return nil }
      if count != before { return count }
    }
    return nil
  }

  private func read() throws -> Int? {
    do throws(StoreError) { last = try list.count() } catch {
      // The stream ends with the Repository.
      if error.code == .closed { return nil }
      throw error
    }
    return last
  }
}
