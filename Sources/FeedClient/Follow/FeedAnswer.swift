import Foundation
import ListModel

/// What the status of a response means for a feed.
enum FeedAnswer {
  /// The body is a feed.
  case feed(FeedStream)
  /// There is no new line.
  case nothingNew
  /// The credentials have expired.
  case unauthorized(StoreError)
  /// The server no longer has the lines after the position.
  case tooOld(StoreError)
  /// It may go better later, at the earliest after the server's pause.
  case later(StoreError, Duration?)
  /// It would be refused again.
  case refused(StoreError)

  /// `name`: The feed's name in errors.
  init(_ response: FeedClient.Response, from name: String, now: Date) {
    let status = response.status
    let pause = response.pause(now: now)
    switch status {
    case 200:
      let type = response.headers["content-type"]
      if let stream = FeedStream(contentType: type) {
        self = .feed(stream)
      } else {
        self = .later(
          StoreError(
            .feedUnavailable,
            "the answer is \(type?.prefix(200) ?? "of no type"), not a feed; a network that wants a sign-in "
              + "answers so", file: name), pause)
      }
    case 204, 304: self = .nothingNew
    case 401:
      self = .unauthorized(
        StoreError(
          .feedRefused,
          "the server refuses the credentials (401), also new ones; sign in again", file: name))
    case 410, 416:
      self = .tooOld(
        StoreError(
          .feedRefused,
          "the server no longer has the lines after the list's (\(status)), and sends no snapshot",
          file: name))
    case 408, 421, 425, 429, 500...:
      self = .later(
        StoreError(.feedUnavailable, "the server answers \(status) for now", file: name), pause)
    default:
      self = .refused(
        StoreError(.feedRefused, "the server answers \(status): \(Self.advice(status))", file: name)
      )
    }
  }

  private static func advice(_ status: Int) -> String {
    switch status {
    case 300..<400:
      "it redirects to another server or without an end; use the address that it names"
    case 403: "this user may not read the feed; sign in as another one"
    case 404: "there is no feed at this address; check it"
    case 406: "it sends neither lines of JSON nor an event stream"
    default: "it does not serve feeds as FeedFormat says; check the address and the server"
    }
  }
}

extension FeedClient.Response {
  /// The pause that the server asks for by `Retry-After`: seconds, or a date.
  func pause(now: Date) -> Duration? {
    guard let text = headers["retry-after"] else { return nil }
    if let seconds = Int(text) { return .seconds(min(max(seconds, 0), 1 << 30)) }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    guard let date = format.date(from: text) else { return nil }
    return .seconds(min(max(date.timeIntervalSince(now), 0), 1e9))
  }
}
