import Foundation
import NIOCore

extension RelayConfigurationError {
  /// Why a node can't listen, as a sentence that says what to do; `nil` for another error.
  package init?(listening error: any Error, at host: String, _ port: Int) {
    switch error {
    case let error as IOError where error.errnoCode == EADDRINUSE:
      self.init(
        "port \(port) of \(host) is taken: end what listens there, or choose another --port")
    case let error as IOError where error.errnoCode == EACCES:
      self.init("port \(port) is the system's: choose one from 1024, behind a proxy")
    case let error as IOError where error.errnoCode == EADDRNOTAVAIL:
      self.init("\(host) is no address of this machine: choose another --host")
    case is SocketAddressError, is SocketAddressError.UnknownHost:
      self.init("\(host) is no address and no known name: choose another --host")
    default: return nil
    }
  }
}
