import Foundation

/// The arithmetic of the flow layout: it fills lines with as many items as fit, and justifies them.
///
/// Lengths along a line are called "line", lengths in the direction of scrolling "scroll"; the
/// layout turns them into x and y. Frames are not rounded to pixels.
struct FlowArithmetic {
  struct Insets {
    var line: (start: CGFloat, end: CGFloat)
    var scroll: (start: CGFloat, end: CGFloat)
  }

  struct Length: Equatable {
    var line: CGFloat
    var scroll: CGFloat
  }

  struct Frame: Equatable {
    var line: CGFloat
    var scroll: CGFloat
    var size: Length
  }

  /// Places the items of a section, in lines as long as the container without the insets.
  ///
  /// The result has the frames, and the end of the section including its inset.
  static func place(
    _ sizes: [Length], in container: CGFloat, from start: CGFloat, insets: Insets,
    itemSpacing: CGFloat, lineSpacing: CGFloat
  ) -> (frames: [Frame], end: CGFloat) {
    var frames: [Frame] = []
    frames.reserveCapacity(sizes.count)
    let length = container - insets.line.start - insets.line.end
    var offset = start + insets.scroll.start
    var first = 0
    while first < sizes.count {
      var last = first
      var used = sizes[first].line
      while last + 1 < sizes.count, used + itemSpacing + sizes[last + 1].line <= length {
        last += 1
        used += itemSpacing + sizes[last].line
      }
      let line = sizes[first...last]
      let height = line.reduce(0) { max($0, $1.scroll) }
      let (indent, spacing) = justify(
        line, used: used, length: length, spacing: itemSpacing, isLast: last + 1 == sizes.count)
      var position = insets.line.start + indent
      for size in line {
        frames.append(
          Frame(line: position, scroll: offset + (height - size.scroll) / 2, size: size))
        position += size.line + spacing
      }
      offset += height + (last + 1 < sizes.count ? lineSpacing : 0)
      first = last + 1
    }
    return (frames, offset + insets.scroll.end)
  }

  /// The indentation of a line, and the space between its items.
  ///
  /// A line is justified; a single item is centered. The last line is spaced as if more items like
  /// its last one followed, so that it continues the grid above it.
  private static func justify(
    _ line: ArraySlice<Length>, used: CGFloat, length: CGFloat, spacing: CGFloat, isLast: Bool
  ) -> (indent: CGFloat, spacing: CGFloat) {
    var used = used
    var count = line.count
    if isLast, let size = line.last?.line, size + spacing > 0 {
      while used + spacing + size <= length {
        used += spacing + size
        count += 1
      }
    }
    let left = length - used
    if left <= 0 { return (0, spacing) }
    if count == 1 { return (left / 2, spacing) }
    return (0, spacing + left / CGFloat(count - 1))
  }
}
