import Foundation
import SQLiteSettings

/// The parts of a file that hold data.
///
/// The rest are holes, which read as zeros and take no room.
/// A file of holes can say that it is larger than any disk.
package struct FileExtents: Sendable {
  /// The parts, in their order.
  package let ranges: [Range<Int>]
  /// The bytes in them.
  package var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }

  /// All of a file without holes.
  init(all byteCount: Int) { ranges = byteCount > 0 ? [0..<byteCount] : [] }

  /// The parts of a file that hold data; all of it if the system does not say.
  ///
  /// - Parameters:
  ///   - path: A regular file.
  ///   - byteCount: Its size; what was added to it since does not count.
  package init(of path: String, upTo byteCount: Int) {
    let all = FileExtents(all: byteCount)
    guard let status = FileStatus(following: path),
      byteCount - status.allocatedByteCount >= Self.leastHole,
      let descriptor = Self.descriptors.withValue({ $0.descriptor(of: path, status.identity) })
    else {
      self = all
      return
    }
    var ranges: [Range<Int>] = []
    var offset = 0
    while offset < byteCount {
      let start = Int(cellar_seek(descriptor, Int64(offset), 0))
      // Nothing but a hole follows.
      if start < 0, errno == ENXIO { break }
      let end = start < 0 ? -1 : Int(cellar_seek(descriptor, Int64(start), 1))
      guard end > start, start >= offset else {
        self = all
        return
      }
      if start < byteCount { ranges.append(start..<min(end, byteCount)) }
      offset = end
    }
    self.ranges = ranges
  }

  private init(_ ranges: [Range<Int>]) { self.ranges = ranges }

  /// The bytes of data of a store and its write-ahead log; 0 for one that is not there.
  ///
  /// `path`: Its path, or the name under which it is read in place.
  package static func byteCount(ofStore path: String) -> Int {
    let path = InPlaceStore.path(behind: path) ?? path
    return ["", Sidecar.log.rawValue].reduce(0) { sum, suffix in
      guard let status = FileStatus(following: path + suffix) else { return sum }
      return sum + FileExtents(of: path + suffix, upTo: status.byteCount).byteCount
    }
  }

  /// What is a part of either.
  func union(_ other: FileExtents) -> FileExtents {
    var merged: [Range<Int>] = []
    for range in (ranges + other.ranges).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return FileExtents(merged)
  }

  /// Whether some bytes are all in holes.
  func isHole(_ bytes: Range<Int>) -> Bool {
    // The first part that ends after their beginning.
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= bytes.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low == ranges.count || ranges[low].lowerBound >= bytes.upperBound
  }

  /// Fewer bytes of holes than this are copied as they read.
  private static let leastHole = 4 << 20

  // MARK: Descriptors

  private static let descriptors = Guarded(Descriptors())

  /// The files with holes that this process has looked at.
  ///
  /// They stay open: closing a descriptor of a database would drop the locks of this process's
  /// connections to it. Hardly any database has holes.
  private struct Descriptors {
    private var open: [FileIdentity: Int32] = [:]

    mutating func descriptor(of path: String, _ identity: FileIdentity) -> Int32? {
      if let known = open[identity] { return known }
      let opened = Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard opened >= 0 else { return nil }
      // What has another identity by now is kept open as well.
      open[FileStatus(descriptor: opened)?.identity ?? identity] = opened
      return FileStatus(descriptor: opened)?.identity == identity ? opened : nil
    }
  }
}
