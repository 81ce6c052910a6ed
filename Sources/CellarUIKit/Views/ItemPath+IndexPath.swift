import Foundation
import ListModel
import ListViews

extension ItemPath {
  /// The path that UIKit gives for an item of the view.
  init(_ indexPath: IndexPath) {
    self.init(section: indexPath.section, item: indexPath.item)
  }

  /// The same path as UIKit writes it.
  var indexPath: IndexPath { IndexPath(item: item, section: section) }
}
