import FeedServing
import Foundation
import Hummingbird
package import Logging
import NIOConcurrencyHelpers
import NIOCore
package import RelayEngine
import ServiceLifecycle

/// A node that serves: its lists over HTTP, until it is told to end.
///
/// At the end it takes no more connections, answers those who wait, and writes its copies. Edits that
/// were acknowledged are in the engine long before.
package final class RelayServer: Service {
  private let configuration: RelayConfiguration
  let node: RelayNode
  private let gatekeeper: Gatekeeper
  private let quotas: Quotas
  private let refusals: Refusals
  private let listCounts: ListCounts
  private let transfers = Transfers()
  private let waits = OpenWaits()
  private let metrics = PrometheusMetrics()
  private let folder: NodeFolder?
  private let logger: Logger
  private let port = NIOLockedValueBox<Port>(Port())

  private struct Port {
    var number: Int?
    var waiting: [CheckedContinuation<Int, Never>] = []
  }

  /// Opens the engine and the node's folder.
  ///
  /// - Throws: `RelayConfigurationError`, or the error of the engine, the folder or the keys.
  package init(_ configuration: RelayConfiguration, logger: Logger) async throws {
    try configuration.requireSafety()
    self.configuration = configuration
    self.logger = logger
    var keys: TokenKeys?
    if let source = configuration.keys {
      keys = try await TokenKeys(parsing: try await KeyFile.text(source))
    } else {
      logger.warning(
        "there are no keys: everybody on this machine may read and change everything")
    }
    gatekeeper = Gatekeeper(
      keys: keys, issuer: configuration.issuer, audience: configuration.audience)
    folder = try configuration.folder.map { try NodeFolder($0) }
    let engine = try await configuration.openEngine(after: folder?.timeline)
    node = RelayNode(engine: engine, kept: try folder?.openLists(), logger: logger)
    quotas = Quotas(configuration.quota)
    refusals = Refusals(perSecond: configuration.quota.refusalsPerSecond)
    listCounts = ListCounts(engine)
  }

  /// The port that it listens at; waits until it does.
  package var boundPort: Int {
    get async {
      await withCheckedContinuation { waiting in
        let number = port.withLockedValue { port in
          if port.number == nil { port.waiting.append(waiting) }
          return port.number
        }
        if let number { waiting.resume(returning: number) }
      }
    }
  }

  /// Serves until the service group ends gracefully or the task is cancelled.
  package func run() async throws {
    let application = Application(
      responder: responder,
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [SmallFirstRead(), ConnectionField(), ClientEnd(self.waits)],
          idleTimeout: .seconds(90))),
      configuration: .init(
        address: .hostname(configuration.host, port: configuration.port), backlog: 4_096),
      onServerRunning: { channel in self.noteRunning(at: channel.localAddress?.port ?? 0) },
      logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await self.lookAfterLists() }
      group.addTask { await self.closeOverdue() }
      defer { group.cancelAll() }
      try await withGracefulShutdownHandler {
        try await application.run()
      } onGracefulShutdown: {
        Task { await self.node.end() }
      }
    }
    await node.close()
    logger.notice("ended")
  }

  /// What answers requests.
  var responder: RelayResponder {
    RelayResponder(
      node: node, gatekeeper: gatekeeper, quotas: quotas, refusals: refusals,
      listCounts: listCounts, transfers: transfers, waits: waits,
      settings: ServingSettings(
        sharedAge: configuration.sharedAge, bodyPatience: configuration.bodyPatience,
        readingPatience: configuration.readingPatience),
      metrics: metrics, logger: logger)
  }

  /// Does what no request asks for, until the task is cancelled.
  func lookAfterLists() async {
    await withTaskGroup { group in
      group.addTask { await self.followEngine() }
      group.addTask {
        await self.node.keepHouse(
          every: .seconds(1), mostItems: self.configuration.mostItems,
          mostLists: self.configuration.mostLists)
      }
      group.addTask {
        await Compactor(node: self.node, retention: self.configuration.retention)
          .run(every: .seconds(self.configuration.compactEvery))
      }
      if let source = configuration.keys {
        group.addTask { await KeyFile.follow(source, self.gatekeeper, self.logger) }
      }
    }
  }

  /// Closes connections of clients that send or read no further.
  private func closeOverdue() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      transfers.closeOverdue(grace: node.isEnding ? .seconds(3) : nil)
    }
  }

  private func followEngine() async {
    let pause =
      switch configuration.engine {
      // Only a command beside the node appends too.
      case .file: max(configuration.lookEvery, 200)
      case .postgres: configuration.lookEvery
      }
    await node.follow(every: .milliseconds(pause)) { timeline in
      do { try folder?.note(timeline) } catch {
        logger.error("the timeline can't be noted", metadata: ["error": "\(error)"])
      }
    }
  }

  private func noteRunning(at number: Int) {
    logger.notice(
      "serving", metadata: ["address": "\(configuration.host):\(number)"])
    let waiting = port.withLockedValue { port in
      port.number = number
      defer { port.waiting = [] }
      return port.waiting
    }
    for waiter in waiting { waiter.resume(returning: number) }
  }
}

extension RelayConfiguration {
  /// Opens the engine.
  ///
  /// - Parameter timeline: The latest history that was seen.
  /// - Returns: The engine.
  /// - Throws: `EngineError`, also for tables of another version.
  package func openEngine(after timeline: EngineTimeline? = nil) async throws -> any Engine {
    switch engine {
    case .file(let file):
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      return try SQLiteEngine(at: file)
    case .postgres(let addresses):
      let engine = PostgresEngine(addresses, options: postgres, after: timeline)
      do throws(EngineError) { try await engine.requireSchema() } catch {
        // A database that is not there yet may come; tables of another version don't change by waiting.
        if error.code == .schema || error.code == .fenced {
          await engine.close()
          throw error
        }
      }
      return engine
    }
  }
}
