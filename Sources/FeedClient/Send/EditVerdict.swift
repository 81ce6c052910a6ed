import Foundation
import ListModel

/// What a response means for an edit that was sent.
enum EditVerdict {
  /// The server has the edit: in the feed's line of this number, if it says so.
  case accepted(sequence: Int?)
  /// The server refuses the edit.
  case rejected(why: String?)
  /// The credentials have expired.
  case unauthorized(StoreError)
  /// It may go better later, at the earliest after the server's pause.
  case later(any Error, Duration?)
  /// No edit is taken here, and the next attempt would not go better.
  case refused(StoreError)

  /// Reads a response.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - edit: The edit's id.
  ///   - name: The feed's name in errors.
  ///   - now: The time, for `Retry-After`.
  ///   - nextPart: Waits for the next part of the body; `nil` at the end.
  /// - Throws: What breaks the body off.
  init(
    _ response: FeedClient.Response, on edit: String, from name: String, _ now: Date,
    nextPart: () async throws -> Data?
  ) async throws {
    let status = response.status
    let pause = response.pause(now: now)
    func error(_ code: StoreError.Code, _ why: String) -> StoreError {
      StoreError(code, "edit \(edit) stays in the outbox: the server \(why)", file: name)
    }
    switch status {
    case 401:
      self = .unauthorized(
        error(.feedRefused, "refuses the credentials (401), also new ones; sign in again"))
    case 408, 421, 425, 429, 500...:
      self = .later(error(.feedUnavailable, "answers \(status) for now"), pause)
    case 200..<300, 400..<500:
      switch try await EditAnswerBody(nextPart) {
      case .answer(edit, let why, let sequence):
        self = status < 300 ? .accepted(sequence: sequence) : .rejected(why: why)
      case .cutOff:
        self = .later(
          error(.feedUnavailable, "answers \(status), and the answer breaks off"), pause)
      case .nothing where status >= 300:
        self = .refused(error(.feedRefused, "answers \(status): \(Self.advice(status))"))
      case .answer, .nothing:
        self = .later(
          error(
            .feedUnavailable,
            "answers \(status), but does not name the edit; a cache answers so, and a network that "
              + "wants a sign-in"), pause)
      }
    default: self = .refused(error(.feedRefused, "answers \(status): \(Self.advice(status))"))
    }
  }

  private static func advice(_ status: Int) -> String {
    switch status {
    case 300..<400: "it redirects; use the address that it names"
    case 403: "this user may not edit the list; sign in as another one"
    case 404, 405: "it takes no edits at this address; check it"
    case 413: "the edit is too long for it, or for a proxy before it; raise that limit"
    default: "it does not take edits as FeedFormat says; check the address and the server"
    }
  }
}

/// The body of an answer to an edit: `{"edit":ID,"seq":NUMBER,"why":REASON}`.
private enum EditAnswerBody {
  case answer(edit: String, why: String?, sequence: Int?)
  /// It begins as one, and ends in the midst: a proxy has lost the rest.
  case cutOff
  /// It names no edit, such as a page of HTML.
  case nothing

  private static let mostBytes = 64 << 10
  private static let mostCharacters = 1_000

  init(_ nextPart: () async throws -> Data?) async throws {
    var bytes: [UInt8] = []
    self = .nothing
    while let part = try await nextPart() {
      bytes += part
      if bytes.count > Self.mostBytes { return }
    }
    guard let node = try? JSONNode(parsing: bytes) else {
      if bytes.first == UInt8(ascii: "{") { self = .cutOff }
      return
    }
    do throws(FormatError) {
      let object = try node.object()
      self = .answer(
        edit: try object.required("edit"),
        why: try object.nullable("why", as: String.self).map {
          String($0.prefix(Self.mostCharacters))
        },
        // What is no number says nothing; the answer counts.
        sequence: (try? object.nullable("seq", as: String.self)).flatMap { $0 }.flatMap { Int($0) })
    } catch {}
  }
}
