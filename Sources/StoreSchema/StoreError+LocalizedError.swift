public import Foundation
public import ListModel

extension StoreError: LocalizedError {
  /// The description, in English; `localizedDescription` gives it too.
  public var errorDescription: String? { description }
}
