import NIOCore
import NIOPosix

/// A request on a connection of its own, to a port of this machine.
///
/// - Returns: The answer with its head.
func exchange(
  _ method: String, _ target: String, _ body: String?, _ port: Int
) async throws -> String {
  var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
  if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
  text += "\r\n" + (body ?? "")
  let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    .connectTimeout(.seconds(60))
    .connect(host: "127.0.0.1", port: port) { channel in
      channel.eventLoop.makeCompletedFuture {
        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
      }
    }
  return try await channel.executeThenClose { inbound, outbound in
    try await outbound.write(ByteBuffer(string: text))
    var answer = ByteBuffer()
    for try await part in inbound { answer.writeImmutableBuffer(part) }
    return String(buffer: answer)
  }
}
