import Foundation
import HTTPTypes
import Hummingbird
import ListModel

extension RelayResponder {
  /// Says whether a request that a cache may answer would be answered here: for nginx's `auth_request`.
  ///
  /// The request's address is in `X-Original-URI`, as it was sent, and is read by the same code that
  /// reads it when it comes here. So nothing passes that would be refused. The answer may be kept for
  /// as long as a revocation may take.
  func authorize(_ request: Request) async throws -> Response {
    guard let field = HTTPField.Name("X-Original-URI"), let text = request.headers[field],
      request.headers[values: field].count == 1
    else { throw RelayFailure(.wrongRequest, "X-Original-URI is missing") }
    let grant = try await grant(of: request)
    let target: RequestTarget
    let question: FeedQuestion
    do {
      target = try RequestTarget(text)
      guard target.path == Address.feed.rawValue else {
        throw RelayFailure(.forbidden, "there is no feed at this address")
      }
      question = try FeedQuestion(query: target.query)
      // A feed without names would be another one for each token.
      guard question.namesLists else {
        throw RelayFailure(.forbidden, "a feed that a cache keeps names its lists")
      }
    } catch let failure as RelayFailure {
      // `auth_request` knows 401 and 403 alone.
      throw RelayFailure(.forbidden, failure.message)
    }
    let lists =
      [question.list].compactMap(\.self) + question.lists + question.positions.compactMap(\.list)
    for list in lists { try require(.read, to: list.rawValue, grant) }
    return Response(status: .noContent, headers: [.cacheControl: "no-store"])
  }
}
