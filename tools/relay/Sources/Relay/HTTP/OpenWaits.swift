import NIOConcurrencyHelpers
import NIOCore

/// Requests that wait, by their connections: one whose client has gone waits no longer.
final class OpenWaits: Sendable {
  private struct State {
    var wakers: [ObjectIdentifier: WakeOnce] = [:]
    /// Connections by which nothing comes any more, and that are still open.
    var ended: Set<ObjectIdentifier> = []
  }

  private let state = NIOLockedValueBox(State())

  /// Waits until a waker is fired, or the client has gone.
  ///
  /// `channel`: The connection, by which one request at a time comes; `nil` for a request that was
  /// handed over.
  ///
  /// - Returns: Whether the client is there.
  func wait(for waker: WakeOnce, by channel: (any Channel)?) async -> Bool {
    guard let channel else {
      await waker.wait()
      return true
    }
    let id = ObjectIdentifier(channel)
    let hasEnded = state.withLockedValue { state in
      state.wakers[id] = waker
      return state.ended.contains(id)
    }
    if hasEnded || !channel.isActive { waker.fire() }
    await waker.wait()
    let isThere = state.withLockedValue { state in
      state.wakers[id] = nil
      return !state.ended.contains(id)
    }
    return isThere && channel.isActive
  }

  /// Notes that nothing comes by a connection any more: its client has closed it.
  fileprivate func end(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let waker = state.withLockedValue { state in
      state.ended.insert(id)
      return state.wakers[id]
    }
    waker?.fire()
  }

  /// Notes that a connection is closed.
  fileprivate func close(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let waker = state.withLockedValue { state in
      state.ended.remove(id)
      return state.wakers[id]
    }
    waker?.fire()
  }
}

/// Tells ``OpenWaits`` that the client of a connection has gone.
final class ClientEnd: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let waits: OpenWaits

  init(_ waits: OpenWaits) { self.waits = waits }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // The node's side stays open until it has answered.
    if event as? ChannelEvent == .some(.inputClosed) { waits.end(context.channel) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    waits.close(context.channel)
    context.fireChannelInactive()
  }
}
