import SimulatedSystem

/// The numbers of the simulated processes.
@MainActor final class Processes {
  private var last = 0

  func new() -> Int {
    last += 1
    return last
  }
}

/// Does something in a process: whatever it begins or wakes belongs to that one.
func within<Value>(_ process: Int, _ body: () throws -> Value) rethrows -> Value {
  let before = simulation_enter(Int32(process))
  defer { _ = simulation_enter(before) }
  return try body()
}
