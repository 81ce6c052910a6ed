public import Foundation
public import ListModel

extension StoreError: LocalizedError {
  /// The whole description, so that `localizedDescription` says it too. In English.
  public var errorDescription: String? { description }
}
