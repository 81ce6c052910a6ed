import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Has the server see that a client closes the connection after the answer, however the client writes it.
///
/// In `Connection` upper and lower case are equal, and other words may stand beside `close` (RFC 9110,
/// 7.6.1). The server looks for a field that is `close` to the letter, and would wait for more.
final class ConnectionField: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), let field = head.headerFields[.connection],
      field != "close", Self.closes(field)
    else { return context.fireChannelRead(data) }
    head.headerFields[.connection] = "close"
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  private static func closes(_ field: String) -> Bool {
    field.lowercased().split(separator: ",").contains {
      $0.drop(while: \.isWhitespace).prefix { !$0.isWhitespace } == "close"
    }
  }
}
