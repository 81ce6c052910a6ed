import Foundation
import ListLayout
import ListModel
import Providers

extension ListAdapter {
  /// A section to be placed, with means for the sizes of its items.
  func measuredSection(at index: Int) -> MeasuredSection {
    let metrics = metrics(ofSection: index)
    let length = metrics.fittingLength(in: container)
    let key = length.sizeKey(axis: host.axis, in: environment)
    let count = itemCount(inSection: index)
    var items = ItemSizes()
    if let section = section(index),
      provider.numberOfItems(inSection: section) == count
    {
      items = provider.itemSizes(ofSection: section, for: key, estimate: estimatedLength)
    } else {
      // Between two stages, a section that is not yet what it will be.
      items.append(
        count: count, totalLength: estimatedLength * Double(count), breadth: length.points,
        axis: host.axis)
    }
    return MeasuredSection(
      metrics: metrics,
      headerLength: size(of: .header, inSection: index).map(host.axis.length(of:)),
      footerLength: size(of: .footer, inSection: index).map(host.axis.length(of:)), items: items)
  }
}

extension ListAdapter {
  /// The size of an item of a section of which nothing is known.
  func estimatedSize(inSection index: Int) -> Size {
    host.axis.size(
      breadth: metrics(ofSection: index).fittingLength(in: container).points,
      length: estimatedLength(inSection: index))
  }
}
