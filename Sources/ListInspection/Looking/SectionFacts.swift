import ListModel

extension Inspection {
  /// How a section lays out its items.
  ///
  /// Its JSON is an output format: names and meanings stay.
  public struct LayoutFacts: Codable, Hashable, Sendable {
    /// `flow`, `waterfall` or `list`; absent for the app's default, as all others.
    public var kind: String?
    /// How many items are side by side.
    public var columns: Int?
    /// The space between lines, in points.
    public var lineSpacing: Double?
    /// The space between the items of a line, in points.
    public var interitemSpacing: Double?
    /// The space around the items, in points: top, left, bottom, right.
    public var insets: [Double]?

    init(_ layout: SectionLayout) {
      kind = layout.kind?.rawValue
      columns = layout.columns
      lineSpacing = layout.lineSpacing
      interitemSpacing = layout.interitemSpacing
      insets = layout.insets.map { [$0.top, $0.left, $0.bottom, $0.right] }
    }
  }

  /// A header, a footer or another view of a section.
  ///
  /// Its JSON is an output format: names and meanings stay.
  public struct ViewFacts: Codable, Hashable, Sendable {
    /// The kind, such as `header`.
    public var kind: String
    /// The name of the view's class.
    public var view: String
    /// Its content; absent if contents are not told.
    public var content: ContentFacts?
    /// Its measured sizes.
    public var sizes: [SizeFacts]
  }

  /// The item that owns a list.
  ///
  /// Its JSON is an output format: names and meanings stay.
  public struct OwnerFacts: Codable, Hashable, Sendable {
    /// The list that has the item.
    public var list: String
    /// The item.
    public var item: String
    /// The name of the nested list among the item's.
    public var name: String
    /// The revision of the owning list that has deleted the item last; it may be there again.
    public var goneAt: Int?
  }
}
