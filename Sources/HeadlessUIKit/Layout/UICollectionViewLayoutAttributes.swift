public import Foundation

/// The place of a cell, a supplementary view or a decoration in a collection view.
///
/// Collection views copy attributes, as in UIKit: a subclass that adds properties has to override
/// ``copy(with:)`` and ``isEqual(_:)``.
@MainActor open class UICollectionViewLayoutAttributes: NSObject, NSCopying {
  /// The kind of element: a cell, a supplementary view or a decoration.
  open private(set) var representedElementCategory = UICollectionView.ElementCategory.cell
  /// The kind of supplementary view or decoration; `nil` for a cell.
  open private(set) var representedElementKind: String?
  /// The path of the element.
  open var indexPath = IndexPath()
  /// The rectangle, in the coordinates of the content.
  open var frame: CGRect = .zero
  /// The order from back to front.
  open var zIndex = 0
  /// The opacity, from 0 to 1.
  open var alpha: CGFloat = 1
  /// Whether the element is hidden.
  ///
  /// A hidden element has no view.
  open var isHidden = false
  /// Whether the size is one that the cell may correct.
  var isEstimated = true

  /// The size of the frame.
  open var size: CGSize {
    get { frame.size }
    set {
      let center = center
      frame.size = newValue
      self.center = center
    }
  }

  /// The centre of the frame.
  open var center: CGPoint {
    get { CGPoint(x: frame.midX, y: frame.midY) }
    set {
      frame.origin = CGPoint(x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2)
    }
  }

  /// Makes attributes without an element.
  public override nonisolated required init() { super.init() }

  /// Copies the attributes, as a collection view does with those that its layout returns.
  ///
  /// A subclass with properties of its own copies these, too.
  ///
  /// - Parameter zone: Has no effect.
  /// - Returns: Attributes of the same class.
  open nonisolated func copy(with zone: NSZone? = nil) -> Any {
    let copy = type(of: self).init()
    // Only the main actor uses attributes.
    MainActor.assumeIsolated {
      copy.representedElementCategory = representedElementCategory
      copy.representedElementKind = representedElementKind
      copy.indexPath = indexPath
      copy.frame = frame
      copy.zIndex = zIndex
      copy.alpha = alpha
      copy.isHidden = isHidden
      copy.isEstimated = isEstimated
    }
    return copy
  }

  private convenience init(
    _ category: UICollectionView.ElementCategory, _ kind: String?, _ path: IndexPath
  ) {
    self.init()
    representedElementCategory = category
    representedElementKind = kind
    indexPath = path
  }

  /// Attributes of a cell.
  public required convenience init(forCellWith indexPath: IndexPath) {
    self.init(.cell, nil, indexPath)
  }

  /// Attributes of a supplementary view.
  ///
  /// - Parameters:
  ///   - elementKind: The kind.
  ///   - indexPath: The path.
  public required convenience init(
    forSupplementaryViewOfKind elementKind: String, with indexPath: IndexPath
  ) {
    self.init(.supplementaryView, elementKind, indexPath)
  }

  /// Attributes of a decoration.
  ///
  /// - Parameters:
  ///   - decorationViewKind: The kind.
  ///   - indexPath: The path.
  public required convenience init(
    forDecorationViewOfKind decorationViewKind: String, with indexPath: IndexPath
  ) {
    self.init(.decorationView, decorationViewKind, indexPath)
  }

  /// Whether other attributes have the same values.
  open nonisolated override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UICollectionViewLayoutAttributes else { return false }
    // Views and layouts, which compare attributes, belong to the main actor.
    return MainActor.assumeIsolated {
      representedElementCategory == other.representedElementCategory
        && representedElementKind == other.representedElementKind && indexPath == other.indexPath
        && frame == other.frame && zIndex == other.zIndex && alpha == other.alpha
        && isHidden == other.isHidden
    }
  }

  /// The same for equal attributes.
  open nonisolated override var hash: Int { MainActor.assumeIsolated { indexPath.hashValue } }

  /// A copy with its own class.
  func copied() -> UICollectionViewLayoutAttributes {
    (copy(with: nil) as? UICollectionViewLayoutAttributes) ?? self
  }
}
