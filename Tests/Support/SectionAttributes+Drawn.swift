package import ListModel

extension SectionAttributes {
  /// Without what no view draws: the app's own data, and whether the section is in the view.
  package var drawn: SectionAttributes {
    var attributes = self
    attributes.meta = nil
    attributes.visibility = .shown
    return attributes
  }
}
