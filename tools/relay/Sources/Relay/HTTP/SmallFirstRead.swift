import NIOCore

/// Has a connection begin with a small buffer for what it reads, which grows with what comes.
///
/// The buffer stays as long as the connection, and most connections ask a short question and wait.
final class SmallFirstRead: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  func handlerAdded(context: ChannelHandlerContext) {
    let allocator = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 65_536)
    // Without the option it is a buffer of 2 KB.
    try? context.channel.syncOptions?.setOption(.recvAllocator, value: allocator)
  }
}
