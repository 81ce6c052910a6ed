import Foundation
import HeadlessUIKit
import Testing

/// Declarations that are used as UIKit's are.
@MainActor @Suite struct DeclarationTests {
  private final class TintedAttributes: UICollectionViewLayoutAttributes {
    // Copied and compared where UIKit does it, which is on the main actor only.
    nonisolated(unsafe) var tint = ""
    nonisolated(unsafe) var lost = ""

    override func copy(with zone: NSZone? = nil) -> Any {
      let copy = super.copy(with: zone)
      (copy as? TintedAttributes)?.tint = tint
      return copy
    }
  }

  private final class TintedCell: UICollectionViewCell {
    var applied: TintedAttributes?
    override func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {
      applied = layoutAttributes as? TintedAttributes
    }
  }

  private final class TintedLayout: UICollectionViewLayout {
    override func layoutAttributesForElements(
      in rect: CGRect
    ) -> [UICollectionViewLayoutAttributes]? {
      let attributes = TintedAttributes(forCellWith: at(0, 0))
      attributes.frame = CGRect(x: 1, y: 2, width: 30, height: 40)
      attributes.tint = "red"
      attributes.lost = "blue"
      return [attributes]
    }
    override var collectionViewContentSize: CGSize { CGSize(width: 100, height: 100) }
  }

  private final class OneItem: NSObject, UICollectionViewDataSource {
    func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int { 1 }
    func collectionView(
      _ view: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell { view.dequeueReusableCell(withReuseIdentifier: "c", for: indexPath) }
  }

  @Test func aCellGetsACopyOfItsAttributes() throws {
    let source = OneItem()
    let view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 100, height: 100), collectionViewLayout: TintedLayout())
    view.register(TintedCell.self, forCellWithReuseIdentifier: "c")
    view.dataSource = source
    view.layoutIfNeeded()
    let cell = try #require(view.visibleCells.first as? TintedCell)
    let applied = try #require(cell.applied)
    #expect(applied.frame == CGRect(x: 1, y: 2, width: 30, height: 40))
    #expect(applied.indexPath == at(0, 0))
    #expect(applied.tint == "red")
    #expect(applied.lost == "")
  }

  @Test func theAttributesOfAnActionAreThoseOfAMenuElementAndCanChange() {
    var count = 0
    let action = UIAction(title: "Delete", attributes: [.destructive]) { _ in count += 1 }
    #expect(action.headlessChoose())
    let disabled: UIMenuElement.Attributes = .disabled
    action.attributes = disabled
    #expect(!action.headlessChoose())
    #expect(count == 1)
  }

  @Test func closuresOfTheMainActorFitWithoutSayingSo() {
    let handler: UIContextualAction.Handler = { _, _, done in done(true) }
    let provider: UIContextMenuActionProvider = { _ in UIMenu(title: "Book") }
    let action = UIContextualAction(style: .normal, title: "Later", handler: handler)
    let configuration = UIContextMenuConfiguration(actionProvider: provider)
    #expect(action.title == "Later")
    #expect(configuration.headlessMenu()?.title == "Book")
  }
}
