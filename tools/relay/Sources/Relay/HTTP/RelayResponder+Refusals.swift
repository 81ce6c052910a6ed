import HTTPTypes
import Hummingbird
import NIOCore

// Who is refused again and again is told less, and later.
extension RelayResponder {
  /// The answers that cost the one who asks no edit, and nothing that is read.
  static let refusingStatuses: Set<Int> = [400, 401, 403, 404, 408, 410, 413, 422]

  /// Counts an answer that refuses a request.
  ///
  /// - Returns: The answer; beyond the quota 429, after a while.
  func countRefusal(
    _ response: Response, at name: String, _ request: Request, _ channel: (any Channel)?
  ) async -> Response {
    let token = Gatekeeper.token(in: request.headers[.authorization])
    let known = token.flatMap { gatekeeper.knows($0) ? Asker.token($0) : nil }
    let pause = refusals.count(
      known ?? Asker(channel?.remoteAddress), at: node.limits.now())
    do { try await refuse(for: pause) } catch {
      // nginx's `auth_request` takes all but 401 and 403 for a failure of the node.
      return name == Address.auth.name ? response : failure(error, at: name)
    }
    return response
  }

  /// Lets somebody ask whose token has a refusal left; before that, no body is read.
  func requireFewRefusals(_ request: Request) async throws {
    guard let token = Gatekeeper.token(in: request.headers[.authorization]) else { return }
    try await refuse(for: refusals.pause(of: .token(token), at: node.limits.now()))
  }

  private func refuse(for pause: Double) async throws {
    try await quotas.refuse(for: pause, "too many requests were refused")
  }
}
