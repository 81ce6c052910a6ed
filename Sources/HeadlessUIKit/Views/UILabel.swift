public import Foundation

/// A font.
///
/// Here it has only a size.
public final class UIFont: NSObject, Sendable {
  /// The purposes of texts.
  public struct TextStyle: RawRepresentable, Hashable, Sendable {
    /// UIKit's name of the style.
    public let rawValue: String
    /// A style by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The style of headings.
    public static let headline = TextStyle(rawValue: "UICTFontTextStyleHeadline")
    /// The style of body text.
    public static let body = TextStyle(rawValue: "UICTFontTextStyleBody")
    /// The style of captions.
    public static let caption1 = TextStyle(rawValue: "UICTFontTextStyleCaption1")
  }

  /// The size, in points.
  public let pointSize: CGFloat
  /// The distance from one line to the next, in points.
  public var lineHeight: CGFloat { (pointSize * 1.2).rounded() }

  private init(pointSize: CGFloat) { self.pointSize = pointSize }

  /// The system's font of a size.
  ///
  /// - Parameter fontSize: The size, in points.
  /// - Returns: A font.
  public class func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(pointSize: fontSize) }

  /// The font of a style, at the default text size.
  ///
  /// - Parameter style: The style.
  /// - Returns: A font.
  public class func preferredFont(forTextStyle style: TextStyle) -> UIFont {
    UIFont(pointSize: style == .caption1 ? 12 : 17)
  }
}

/// The side at which the lines of a text begin or end.
public enum NSTextAlignment: Int, Sendable {
  /// At the left.
  case left
  /// In the middle.
  case center
  /// At the right.
  case right
  /// From edge to edge.
  case justified
  /// Where the text's language begins.
  case natural
}

/// A view that shows a text.
///
/// Here each letter is 0.6 times the font's size wide, and lines break between words, so that a
/// longer text has a higher label.
open class UILabel: UIView {
  /// The text.
  open var text: String?
  /// The font.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var font: UIFont! = UIFont.systemFont(ofSize: 17)
  /// The maximum number of lines; 0 means no limit.
  open var numberOfLines = 1
  /// The side at which lines begin or end; nothing is drawn here.
  open var textAlignment = NSTextAlignment.natural
  /// The color of the text.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var textColor: UIColor!

  open override var intrinsicContentSize: CGSize { sizeThatFits(.zero) }

  override func intrinsicHeight(inWidth width: CGFloat) -> CGFloat? {
    sizeThatFits(CGSize(width: width, height: .greatestFiniteMagnitude)).height
  }

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
