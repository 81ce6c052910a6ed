/// The file that each module with mutants gets.
enum MutantSwitch {
  /// The highest number of a mutant: each has a byte of a page, and the first is nobody's.
  static let most = 4_095

  static let text = """
    #if canImport(Glibc)
      import Glibc
    #else
      import Darwin
    #endif

    private let chosenMutant = getenv("CELLAR_MUTANT").flatMap { Int(String(cString: $0)) }

    // Safe: threads write the same value, and nobody reads it before the process has ended.
    /// A byte for each mutant, in a file that all processes share: 1 if it was reached.
    nonisolated(unsafe) private let reachedMutants: UnsafeMutablePointer<UInt8>? = {
      guard let path = getenv("CELLAR_REACHED") else { return nil }
      let file = open(path, O_RDWR)
      guard file >= 0, let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
        memory != MAP_FAILED
      else { return nil }
      return memory.assumingMemoryBound(to: UInt8.self)
    }()

    /// Whether a mutant is switched on.
    @usableFromInline
    func mutant(_ number: Int) -> Bool {
      reachedMutants?[number] = 1
      return number == chosenMutant
    }

    """
}
