/// A list that knows how many items each of its sections holds.
package protocol CountedSections: Sendable {
  /// How many sections there are.
  var sectionCount: Int { get }
  /// How many items a section holds.
  ///
  /// - Parameter index: Less than the count of sections.
  /// - Returns: Not less than 0.
  func itemCount(inSection index: Int) -> Int
}
