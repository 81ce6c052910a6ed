package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

#if canImport(Darwin)
  private let noSignal: Int32 = 0
#else
  private let noSignal = Int32(MSG_NOSIGNAL)
#endif

/// An HTTP server on a port of this machine: a closure answers each request on a thread of its own,
/// byte by byte as it likes.
package final class LoopbackServer: Sendable {
  package struct Connection: Sendable {
    fileprivate let socket: Int32

    /// Sends bytes.
    ///
    /// - Returns: Whether the client still takes them.
    @discardableResult
    package func send(_ text: String) -> Bool {
      let bytes = Array(text.utf8)
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes { rest in
          Foundation.send(socket, rest.baseAddress, rest.count, noSignal)
        }
        if count <= 0 { return false }
        sent += count
      }
      return true
    }

    /// Waits until the client has closed the connection.
    package func waitForEnd() {
      var byte: UInt8 = 0
      while recv(socket, &byte, 1, 0) > 0 {}
    }

    /// The head of the request, and its body if it says how long that is.
    fileprivate func request() -> String {
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(socket, &byte, 1, 0) == 1 {
        bytes.append(byte)
      }
      let head = String(decoding: bytes, as: UTF8.self)
      let length = head.firstMatch(of: #/(?i)content-length: ([0-9]+)/#).flatMap { Int($0.1) }
      for _ in 0..<(length ?? 0) where recv(socket, &byte, 1, 0) == 1 { bytes.append(byte) }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private let listener: Int32
  private let port: UInt16

  /// Opens the server.
  ///
  /// `answer`: Takes a request. The connection is closed when it returns.
  package init(_ answer: @escaping @Sendable (String, Connection) -> Void) throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isOpen else { throw CocoaError(.fileReadUnknown) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread {
      while case let socket = accept(listener, nil, nil), socket >= 0 {
        Thread.detachNewThread {
          let connection = Connection(socket: socket)
          answer(connection.request(), connection)
          close(socket)
        }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  package func url(_ path: String) throws -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
      throw URLError(.badURL)
    }
    return url
  }
}
