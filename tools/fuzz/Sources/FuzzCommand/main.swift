import Foundation
import LibFuzzer

// The first argument names the target, all others are libFuzzer's: it skips what begins with two
// hyphens, also in the processes that it starts.
let name = CommandLine.arguments.dropFirst().first { $0.hasPrefix("--target=") }
guard let target = name.flatMap({ FuzzTarget(rawValue: String($0.dropFirst(9))) }) else {
  let targets = FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")
  say("usage: cellar-fuzz --target=\(targets) [ARGUMENT OF LIBFUZZER…]")
  exit(64)
}
Chosen.target = target
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
  LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    Chosen.target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  })
