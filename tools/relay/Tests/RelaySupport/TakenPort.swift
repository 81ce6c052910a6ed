import NIOCore
import NIOPosix

/// A port that somebody listens at.
package final class TakenPort {
  package let number: Int
  private let channel: any Channel

  package init() throws {
    channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(host: "127.0.0.1", port: 0).wait()
    number = channel.localAddress?.port ?? 0
  }

  deinit { channel.close(promise: nil) }
}
