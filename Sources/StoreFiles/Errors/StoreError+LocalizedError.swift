public import Foundation
public import ListModel

extension StoreError: LocalizedError {
  /// The error's description, in English; `localizedDescription` returns it too.
  public var errorDescription: String? { description }
}
