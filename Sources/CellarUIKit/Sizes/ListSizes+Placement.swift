import Foundation
import ListLayout
import ListModel
import Providers

// What a layout needs of a section before it knows the items' own sizes.
extension ListSizes {
  /// A section to place, with mean sizes for its items.
  func measuredSection(at index: Int) -> MeasuredSection {
    let metrics = metrics(ofSection: index)
    let length = metrics.fittingLength(in: measurer.container)
    let count = screen.display.numberOfItems(inSection: index)
    var items = ItemSizes()
    if let section = screen.display.listIndex(ofSection: index),
      screen.provider.numberOfItems(inSection: section) == count
    {
      items = screen.provider.itemSizes(
        ofSection: section,
        for: measurer.key(fitting: length, in: screen.provider.sectionID(at: section)),
        estimate: estimatedLength)
    }
    // Between two stages a section has fewer items than after the update, and a store that can't be
    // read knows no sizes.
    let rest = count - items.count
    items.append(
      count: rest, totalLength: estimatedLength * Double(rest), breadth: length.points,
      axis: screen.host.axis)
    return MeasuredSection(
      metrics: metrics,
      headerLength: size(of: .header, inSection: index).map(screen.host.axis.length(of:)),
      footerLength: size(of: .footer, inSection: index).map(screen.host.axis.length(of:)),
      items: items)
  }

  /// The assumed size of an item that was not measured.
  func estimatedSize(inSection index: Int) -> Size {
    screen.host.axis.size(
      breadth: fittingLength(inSection: index).points, length: estimatedLength(inSection: index))
  }
}
