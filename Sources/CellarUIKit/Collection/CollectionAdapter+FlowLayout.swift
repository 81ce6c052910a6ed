public import Foundation
import ListLayout
import ListModel

#if canImport(UIKit) && !os(watchOS)
  public import UIKit
#else
  public import HeadlessUIKit
#endif

// What a flow layout asks: sizes from the cache, the rest from the section's own layout.
extension CollectionAdapter: UICollectionViewDelegateFlowLayout {
  /// The size of an item: as it was kept, else measured.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    sizeForItemAt indexPath: IndexPath
  ) -> CGSize {
    let size = size(ofItemAt: indexPath)
    return CGSize(width: size.width, height: size.height)
  }

  /// What surrounds the items of a section.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    insetForSectionAt section: Int
  ) -> UIEdgeInsets { UIEdgeInsets(metrics(ofSection: section).insets) }

  /// What is between lines.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumLineSpacingForSectionAt section: Int
  ) -> CGFloat { metrics(ofSection: section).lineSpacing }

  /// What is between items of a line.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumInteritemSpacingForSectionAt section: Int
  ) -> CGFloat { metrics(ofSection: section).interitemSpacing }

  /// The size of a section's header; none if it has none.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForHeaderInSection section: Int
  ) -> CGSize { referenceSize(of: .header, inSection: section) }

  /// The size of a section's footer; none if it has none.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForFooterInSection section: Int
  ) -> CGSize { referenceSize(of: .footer, inSection: section) }

  private func referenceSize(of kind: Supplementary.Kind, inSection section: Int) -> CGSize {
    size(of: kind, inSection: section).map { CGSize(width: $0.width, height: $0.height) } ?? .zero
  }
}
