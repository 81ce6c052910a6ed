public import Foundation
import ListLayout
import ListModel
public import ListViews

// A flow layout asks for sizes, which are stored, and for the layout of each section.
//
// The layout that asks is the argument: during a transition it need not be the view's.
extension CollectionAdapter: UICollectionViewDelegateFlowLayout {
  /// The stored size of an item; without one, the size measured now.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    sizeForItemAt indexPath: IndexPath
  ) -> CGSize {
    let size = collectionHost.answering(collectionViewLayout) { self.size(ofItemAt: indexPath) }
    return CGSize(width: size.width, height: size.height)
  }

  /// The insets around the items of a section.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    insetForSectionAt section: Int
  ) -> UIEdgeInsets { UIEdgeInsets(metrics(ofSection: section, in: collectionViewLayout).insets) }

  /// The spacing between the lines of a section.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumLineSpacingForSectionAt section: Int
  ) -> CGFloat { metrics(ofSection: section, in: collectionViewLayout).lineSpacing }

  /// The spacing between the items of a line.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumInteritemSpacingForSectionAt section: Int
  ) -> CGFloat { metrics(ofSection: section, in: collectionViewLayout).interitemSpacing }

  /// The size of a section's header; zero without one.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForHeaderInSection section: Int
  ) -> CGSize { referenceSize(of: .header, inSection: section, in: collectionViewLayout) }

  /// The size of a section's footer; zero without one.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForFooterInSection section: Int
  ) -> CGSize { referenceSize(of: .footer, inSection: section, in: collectionViewLayout) }

  private func metrics(
    ofSection section: Int, in layout: UICollectionViewLayout
  ) -> SectionMetrics {
    collectionHost.answering(layout) { metrics(ofSection: section) }
  }

  private func referenceSize(
    of kind: Supplementary.Kind, inSection section: Int, in layout: UICollectionViewLayout
  ) -> CGSize {
    collectionHost.answering(layout) { size(of: kind, inSection: section) }
      .map { CGSize(width: $0.width, height: $0.height) } ?? .zero
  }
}
