// Nothing else: as a file would `import UIKit`.
import HeadlessUIKit
import Testing

/// A file that imports UIKit elsewhere imports HeadlessUIKit here, and no more.
@Suite struct ImportTests {
  @Test func foundationAndGeometryComeWithIt() {
    let frame = CGRect(x: 1, y: 2, width: 3, height: 4)
    #expect(frame.insetBy(dx: 1, dy: 1).size == CGSize(width: 1, height: 2))
    #expect(CGRect.zero.isEmpty && frame.maxX == 4)
    #expect(IndexPath(item: 1, section: 2).section == 2)
    #expect(Date.distantPast < Date.distantFuture)
  }
}
