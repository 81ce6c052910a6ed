import Foundation
import ListModel
import ListSync
import StoreFiles

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// What goes between a client and its transport: bounded, and without what an address may hold.
extension FeedClient {
  /// The most bytes of an answer's header fields.
  private static let mostHeaderBytes = 64 << 10

  /// Refuses an address that anybody on the way could read and answer for, unless the app allows it.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/insecureAddress``.
  func requireSecureAddress() throws(StoreError) {
    let scheme = url.scheme?.lowercased()
    if scheme == "https" || scheme == "http" && (allowsInsecureHTTP || isOnThisMachine) { return }
    throw StoreError(
      .insecureAddress,
      scheme == "http"
        ? "the address is not encrypted, so anybody on the way could read tokens and change lines: use "
          + "https, or set `allowsInsecureHTTP`"
        : "a feed is at an address of https, not of \(scheme?.prefix(20) ?? "no scheme")",
      file: name)
  }

  /// Whether the address leads to this machine, so that nothing of it goes over a network.
  private var isOnThisMachine: Bool {
    guard let host = url.host?.lowercased() else { return false }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return ["localhost", "::1", "[::1]"].contains(host) || parts.last == "localhost"
      || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Sends a request and waits for the head of the answer.
  ///
  /// - Throws: `StoreError` without the query of an address; `CancellationError`.
  func send(_ request: Request) async throws -> Response {
    let response = try await bounded(request) { try await self.transport.send(request) }
    let count = response.headers.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    if count <= Self.mostHeaderBytes { return response }
    response.body.cancel()
    throw StoreError(
      .feedLimit,
      "the header fields of the answer have \(count) bytes, and at most \(Self.mostHeaderBytes) are "
        + "read", file: name)
  }

  /// The next part of an answer; `nil` at the end.
  ///
  /// - Throws: As ``send(_:)``.
  func nextPart(of response: Response, to request: Request) async throws -> Data? {
    try await bounded(request) { try await response.body.next() }
  }

  /// Waits as long as a connection may be silent: a transport may be one that waits for ever.
  private func bounded<Value: Sendable>(
    _ request: Request, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    typealias Answer = (result: Result<Value, any Error>, isCancelled: Bool)
    let answer = await withTaskGroup(of: Answer?.self) { group in
      group.addTask {
        do { return (.success(try await body()), Task.isCancelled) } catch {
          return (.failure(error), Task.isCancelled)
        }
      }
      group.addTask { [pause = min(idleTimeout, LiveList.longestPause)] in
        // It ends early if the other one has ended, or the call is cancelled.
        try? await Task.sleep(for: pause)
        return nil
      }
      var answer = await group.next() ?? nil
      group.cancelAll()
      // The transport ends what is cancelled.
      if answer == nil, Task.isCancelled { answer = await group.next() ?? nil }
      return answer
    }
    guard let answer else {
      throw StoreError(
        .feedUnavailable, "no byte came for \(idleTimeout.seconds) seconds", file: name)
    }
    // A transport that cancels its task means the call's.
    if answer.isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
    do { return try answer.result.get() } catch { throw withoutAddress(error, request) }
  }

  /// An error that names no more of the address than the feed's name does.
  ///
  /// On Apple's systems a `URLError` has the whole address.
  private func withoutAddress(_ error: any Error, _ request: Request) -> any Error {
    func failure(_ reason: String, _ cause: (any Error)?) -> StoreError {
      StoreError(
        .feedUnavailable, "there is no answer: \(reason.prefix(1_000))", file: name, cause: cause)
    }
    switch error {
    case is StoreError, is CancellationError: return error
    case let error as URLError:
      let bare = URLError(error.code)
      return failure(bare.localizedDescription, bare)
    default:
      let texts = ["\(error)", "\((error as NSError).userInfo)"]
      let isTelling = texts.contains { text in secrets(of: request).contains(where: text.contains) }
      return isTelling ? failure("\(type(of: error))", nil) : failure("\(error)", error)
    }
  }

  /// What must not be in an error: the query and its values, user and password.
  private func secrets(of request: Request) -> Set<String> {
    [url, request.url].reduce(into: []) { secrets, url in
      guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return }
      let items = (parts.queryItems ?? []) + (parts.percentEncodedQueryItems ?? [])
      let values = items.compactMap(\.value).filter { $0.count > 3 }
      secrets.formUnion(
        ([parts.percentEncodedQuery, parts.query, parts.user, parts.password].compactMap(\.self)
          + values).filter { !$0.isEmpty })
    }
  }
}
