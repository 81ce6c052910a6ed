/// A list that knows how many items its sections hold.
package protocol CountedSections: Sendable {
  var sectionCount: Int { get }
  /// - Parameter index: Less than the count of sections.
  /// - Returns: Not less than 0.
  func itemCount(inSection index: Int) -> Int
}
