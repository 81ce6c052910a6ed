public import Foundation

/// How texts look; here no more than how large they are.
public final class UIFont: NSObject, Sendable {
  /// What a text is for.
  public struct TextStyle: RawRepresentable, Hashable, Sendable {
    /// UIKit's name of the style.
    public let rawValue: String
    /// A style by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Of headings.
    public static let headline = TextStyle(rawValue: "UICTFontTextStyleHeadline")
    /// Of the text itself.
    public static let body = TextStyle(rawValue: "UICTFontTextStyleBody")
    /// Of what stands below a picture.
    public static let caption1 = TextStyle(rawValue: "UICTFontTextStyleCaption1")
  }

  /// How large it is, in points.
  public let pointSize: CGFloat
  /// From one line to the next, in points.
  public var lineHeight: CGFloat { (pointSize * 1.2).rounded() }

  private init(pointSize: CGFloat) { self.pointSize = pointSize }

  /// The system's font of a size.
  ///
  /// - Parameter fontSize: In points.
  /// - Returns: A font.
  public class func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(pointSize: fontSize) }

  /// The font of a style at the size of text that a device comes with.
  ///
  /// - Parameter style: What the text is for.
  /// - Returns: A font.
  public class func preferredFont(forTextStyle style: TextStyle) -> UIFont {
    UIFont(pointSize: style == .caption1 ? 12 : 17)
  }
}

/// A text.
///
/// Every letter is 0.6 of its font's size wide here, and lines break between words: enough to be as high as its
/// text is long.
open class UILabel: UIView {
  /// What it says.
  open var text: String?
  /// How it looks.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var font: UIFont! = UIFont.systemFont(ofSize: 17)
  /// How many lines it has at most; 0: as many as it needs.
  open var numberOfLines = 1

  open override func sizeThatFits(_ size: CGSize) -> CGSize {
    guard let text, !text.isEmpty, let font else { return .zero }
    let letter = font.pointSize * 0.6
    let room = size.width > 0 ? size.width : .greatestFiniteMagnitude
    var widths: [CGFloat] = [0]
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let width = CGFloat(word.count) * letter
      let last = widths[widths.count - 1]
      if last == 0 {
        widths[widths.count - 1] = width
      } else if numberOfLines != 1, last + letter + width > room {
        widths.append(width)
      } else {
        widths[widths.count - 1] = last + letter + width
      }
    }
    let lines = numberOfLines > 0 ? min(numberOfLines, widths.count) : widths.count
    return CGSize(
      width: min(room, widths.max() ?? 0).rounded(.up), height: CGFloat(lines) * font.lineHeight)
  }
}
