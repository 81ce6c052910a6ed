import CLibPQ
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A statement with its parameters.
struct PostgresStatement: Sendable {
  let sql: String
  let parameters: [PostgresValue]

  init(_ sql: String, _ parameters: [PostgresValue] = []) {
    self.sql = sql
    self.parameters = parameters
  }
}

/// One connection to PostgreSQL, used by one caller at a time.
///
/// libpq's calls run on a queue of the connection's own, so that no thread of Swift's pool waits for a
/// socket. A connection that has failed once is closed.
final class PostgresConnection: @unchecked Sendable {
  // Sendable: everything below is used on `queue` alone.
  private let queue = DispatchQueue(label: "cellar-relay.postgres")
  private var connection: OpaquePointer?
  /// The names under which statements are prepared.
  private var prepared: [String: String] = [:]

  /// How long PostgreSQL may take for an answer, in milliseconds.
  ///
  /// A synchronous standby that is gone makes a commit wait for ever. The wait is given up here, by
  /// closing the connection, and not in the server: cancelled there, the commit would be visible
  /// without being on the standby.
  private let patience: Int

  private init(patience: Int) { self.patience = patience }

  deinit { if let connection { PQfinish(connection) } }

  /// Connects.
  ///
  /// `address`: A connection string or URL, as libpq reads it, with TLS as it says.
  /// `patience`: How long an answer may take, in milliseconds.
  static func open(
    _ address: String, patience: Int
  ) async throws(EngineError) -> PostgresConnection {
    let opened = PostgresConnection(patience: patience)
    try await opened.perform { connection throws(EngineError) in
      connection.connection = Self.connected(to: address)
      guard PQstatus(connection.connection) == CONNECTION_OK else {
        throw connection.failure("connect to PostgreSQL", .unavailable)
      }
      // Notices would go to the standard error output.
      _ = PQsetNoticeProcessor(connection.connection, { _, _ in }, nil)
      guard PQsetnonblocking(connection.connection, 1) == 0 else {
        throw connection.failure("set up a connection", .unavailable)
      }
    }
    // All that a node asks for it finds by a key. A plan that was made while the tables were empty reads
    // them whole, for as long as nothing counts their rows anew.
    try await opened.runScript("SET enable_seqscan = off")
    return opened
  }

  /// Connects, or gives up after two seconds: a server that is frozen takes connections and says nothing.
  private static func connected(to address: String) -> OpaquePointer? {
    "connect_timeout".withCString { timeout in
      "2".withCString { seconds in
        "dbname".withCString { name in
          address.withCString { address in
            // What comes later counts, so an address may say another time.
            let keywords: [UnsafePointer<CChar>?] = [timeout, name, nil]
            let values: [UnsafePointer<CChar>?] = [seconds, address, nil]
            return PQconnectdbParams(keywords, values, 1)
          }
        }
      }
    }
  }

  /// Waits until the synchronous standby has all that a caller may read here.
  ///
  /// A commit that was given up while the standby was away is seen after the server has started again,
  /// and a failover would lose it. The commit of this message waits for everything before it.
  func awaitStandby() async throws(EngineError) {
    _ = try await run([
      PostgresStatement("SELECT pg_logical_emit_message(true, 'cellar-relay', '')")
    ])
  }

  /// Runs statements as one transaction, sent together.
  ///
  /// - Returns: The rows of each.
  /// - Throws: ``EngineError``; the transaction is then not made, or with
  ///   ``EngineError/Code/unavailable`` may be made.
  func run(_ statements: [PostgresStatement]) async throws(EngineError) -> [[PostgresRow]] {
    try await perform { connection throws(EngineError) in try connection.pipeline(statements) }
  }

  /// Runs a text of several statements without parameters, as one transaction.
  func runScript(_ sql: String) async throws(EngineError) {
    try await perform { connection throws(EngineError) in
      guard let handle = connection.connection, PQsendQuery(handle, sql) == 1 else {
        throw connection.failure("send a script", .unavailable)
      }
      try connection.flush()
      _ = try connection.rows()
      while let result = PQgetResult(handle) { PQclear(result) }
    }
  }

  /// Closes the connection; what is under way ends first.
  func close() {
    queue.async { self.finish() }
  }

  private func finish() {
    if let connection { PQfinish(connection) }
    connection = nil
  }

  // MARK: On the queue

  private func perform<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws(EngineError) -> Value
  ) async throws(EngineError) -> Value {
    let result: Result<Value, EngineError> = await withCheckedContinuation { continuation in
      queue.async {
        do throws(EngineError) { continuation.resume(returning: .success(try body(self))) } catch {
          if error.code == .unavailable { self.finish() }
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  private func pipeline(_ statements: [PostgresStatement]) throws(EngineError) -> [[PostgresRow]] {
    guard let connection, PQenterPipelineMode(connection) == 1 else {
      throw failure("send statements", .unavailable)
    }
    // Preparing is part of the pipeline, and has an answer of its own.
    var hasPreparation: [Bool] = []
    for statement in statements { hasPreparation.append(try send(statement)) }
    guard PQpipelineSync(connection) == 1 else { throw failure("send statements", .unavailable) }
    try flush()
    var answers: [[PostgresRow]] = []
    var refusal: EngineError?
    for isPrepared in hasPreparation {
      for isAnswer in isPrepared ? [false, true] : [true] {
        do throws(EngineError) {
          let rows = try rows()
          if isAnswer { answers.append(rows) }
        } catch {
          if error.code == .unavailable { throw error }
          // The others of the transaction are then skipped, and say so.
          refusal = refusal ?? error
        }
        try expectEnd()
      }
    }
    let sync = try next()
    PQclear(sync)
    guard PQexitPipelineMode(connection) == 1 else { throw failure("end a pipeline", .unavailable) }
    if let refusal {
      // Statements that were to be prepared may not be.
      prepared = [:]
      try forgetPrepared()
      throw refusal
    }
    return answers
  }

  private func forgetPrepared() throws(EngineError) {
    guard let connection, PQsendQuery(connection, "DEALLOCATE ALL") == 1 else {
      throw failure("forget statements", .unavailable)
    }
    try flush()
    _ = try rows()
    try expectEnd()
  }

  /// - Returns: Whether the statement was prepared, too.
  private func send(_ statement: PostgresStatement) throws(EngineError) -> Bool {
    let values = statement.parameters.map(\.bytes)
    let name: String
    let isNew: Bool
    if let known = prepared[statement.sql] {
      (name, isNew) = (known, false)
    } else {
      (name, isNew) = ("s\(prepared.count)", true)
      let types = statement.parameters.map { Oid($0.type) }
      guard PQsendPrepare(connection, name, statement.sql, Int32(types.count), types) == 1 else {
        throw failure("prepare a statement", .unavailable)
      }
      prepared[statement.sql] = name
    }
    // An empty value is not null: it needs an address, too.
    let flat = values.reduce(into: []) { $0 += $1 ?? [] } + [0]
    let isSent = flat.withUnsafeBytes { flat in
      var offset = 0
      var pointers: [UnsafePointer<CChar>?] = []
      for value in values {
        let start = flat.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
        pointers.append(value == nil ? nil : start)
        offset += value?.count ?? 0
      }
      return PQsendQueryPrepared(
        connection, name, Int32(values.count), pointers, values.map { Int32($0?.count ?? 0) },
        values.map { _ in 1 }, 1)
    }
    guard isSent == 1 else { throw failure("send a statement", .unavailable) }
    return isNew
  }

  // MARK: Answers

  /// The rows of the next answer.
  private func rows() throws(EngineError) -> [PostgresRow] {
    let result = try next()
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK: break
    case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return []
    case PGRES_PIPELINE_ABORTED:
      throw EngineError(.failed, "another statement of the transaction has failed")
    default: throw refusal(result)
    }
    let width = PQnfields(result)
    return (0..<PQntuples(result)).map { row in
      PostgresRow(
        columns: (0..<width).map { column in
          guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column)
          else { return nil }
          return Array(
            UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column))))
        })
    }
  }

  private func expectEnd() throws(EngineError) {
    while true {
      try waitForResult()
      guard let result = PQgetResult(connection) else { return }
      PQclear(result)
    }
  }

  private func next() throws(EngineError) -> OpaquePointer {
    try waitForResult()
    guard let result = PQgetResult(connection) else {
      throw failure("read an answer", .unavailable)
    }
    return result
  }

  private func waitForResult() throws(EngineError) {
    while PQisBusy(connection) == 1 {
      try wait(for: Int16(POLLIN))
      guard PQconsumeInput(connection) == 1 else { throw failure("read an answer", .unavailable) }
    }
  }

  private func flush() throws(EngineError) {
    while true {
      switch PQflush(connection) {
      case 0: return
      case 1:
        // Whoever sends much must read meanwhile, or both sides wait.
        try wait(for: Int16(POLLIN | POLLOUT))
        guard PQconsumeInput(connection) == 1 else { throw failure("send", .unavailable) }
      default: throw failure("send", .unavailable)
      }
    }
  }

  private func wait(for events: Int16) throws(EngineError) {
    var waiting = pollfd(fd: PQsocket(connection), events: events, revents: 0)
    while true {
      let count = poll(&waiting, 1, Int32(patience))
      if count > 0 { return }
      if count < 0, errno == EINTR { continue }
      throw EngineError(
        .unavailable,
        "PostgreSQL has not answered for \(patience) ms; a commit waits so for a standby that is gone"
      )
    }
  }

  // MARK: Failures

  /// The failure of a call of libpq.
  private func failure(_ attempt: String, _ code: EngineError.Code) -> EngineError {
    let reason =
      connection.map { String(cString: PQerrorMessage($0)) } ?? "the connection is closed"
    return EngineError(code, "can't \(attempt): \(Self.oneLine(reason))")
  }

  /// What PostgreSQL says against a statement, without contents: those are in its details.
  private func refusal(_ result: OpaquePointer) -> EngineError {
    func field(_ code: Int32) -> String {
      PQresultErrorField(result, code).map { String(cString: $0) } ?? ""
    }
    let state = field(Int32(UInt8(ascii: "C")))
    let message = "PostgreSQL says \(state): \(Self.oneLine(field(Int32(UInt8(ascii: "M")))))"
    let code: EngineError.Code =
      switch state.prefix(2) {
      // Connections, shutdowns, recovery, a transaction that must be tried again, read-only.
      case "08", "57", "40", "25", "": .unavailable
      case "53": state == "53100" ? .full : .unavailable
      case "42", "3F": .schema
      default: .failed
      }
    return EngineError(code, message)
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
