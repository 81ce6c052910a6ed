public import Foundation
public import Pages

extension Page.Failure: LocalizedError {
  /// The failure's description, in English; `localizedDescription` returns it too.
  public var errorDescription: String? { description }
}
