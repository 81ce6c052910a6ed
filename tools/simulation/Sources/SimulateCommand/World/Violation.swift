/// Something that must not be.
struct Violation: Error, CustomStringConvertible {
  /// The check that found it.
  var check: String
  var text: String

  init(_ check: String, _ text: String) {
    self.check = check
    self.text = text
  }

  var description: String { "\(check): \(text)" }
}
