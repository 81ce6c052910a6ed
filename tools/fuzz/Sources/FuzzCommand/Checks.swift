import Foundation
import ListModel

/// Writes a line to standard error.
func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

/// Ends the process because something is wrong; libFuzzer keeps the input.
func wrong(_ what: String) -> Never {
  say("WRONG: " + what)
  abort()
}

/// Ends the process if something does not hold.
func require(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { wrong(what()) }
}

/// The value of an expression that can't throw for an input that was accepted before.
func requireSuccess<Value>(_ what: String, _ body: () throws -> Value) -> Value {
  do { return try body() } catch { wrong("\(what): \(error)") }
}

/// Runs what may fail with a typed error and with no other one.
///
/// - Returns: `nil` if it failed.
@discardableResult
func attempt<Value>(_ what: String, _ body: () throws -> Value) -> Value? {
  do { return try body() } catch is StoreError { return nil } catch is FormatError {
    return nil
  } catch { wrong("\(what): an error of another type: \(type(of: error)) \(error)") }
}
