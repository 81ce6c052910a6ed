import Foundation
package import ListModel

extension StoreError {
  /// The system's words for an error, such as "permission denied"; never a number of Foundation's.
  ///
  /// - Parameter error: An error that Foundation threw.
  /// - Returns: A part of a sentence.
  package static func reason(_ error: any Error) -> String {
    if let number = errorNumber(of: error) { return reason(errorNumber: number) }
    // Foundation has no words of its own for its numbers.
    let text = (error as NSError).localizedDescription
    return text.contains("NSCocoaErrorDomain") ? "the system gives no reason" : text
  }

  /// The system's words for an error number, such as "permission denied".
  package static func reason(errorNumber: Int32) -> String {
    let words = String(cString: strerror(errorNumber))
    guard let first = words.first, words.dropFirst().first?.isUppercase != true else {
      return words
    }
    return first.lowercased() + words.dropFirst()
  }

  /// The system's error number behind an error; `nil` if none is known.
  package static func errorNumber(of error: any Error) -> Int32? {
    var current: NSError? = error as NSError
    while let error = current {
      if error.domain == NSPOSIXErrorDomain { return Int32(exactly: error.code) }
      if let below = error.userInfo[NSUnderlyingErrorKey] as? any Error {
        current = below as NSError
        continue
      }
      return error.domain == NSCocoaErrorDomain ? errorNumber(ofCocoaCode: error.code) : nil
    }
    return nil
  }

  private static func errorNumber(ofCocoaCode code: Int) -> Int32? {
    switch CocoaError.Code(rawValue: code) {
    case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
    case .fileReadNoPermission, .fileWriteNoPermission: EACCES
    case .fileWriteFileExists: EEXIST
    case .fileWriteOutOfSpace: ENOSPC
    case .fileWriteVolumeReadOnly: EROFS
    case .fileReadInvalidFileName, .fileWriteInvalidFileName: ENAMETOOLONG
    default: nil
    }
  }
}

extension String {
  /// The text, shortened if it is long: a hostile store can put megabytes into a message.
  package func cut(to count: Int = 300) -> String {
    utf8.count <= count
      ? self
      : String(String.UnicodeScalarView(unicodeScalars.prefix(count))) + "… (\(utf8.count) bytes)"
  }
}
