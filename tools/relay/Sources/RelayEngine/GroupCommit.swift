/// Gathers what many callers want written while writes are under way, and writes it together: one
/// flush of the disk for all of them.
actor GroupCommit {
  typealias Write = @Sendable ([LogBatch]) async throws(EngineError) -> [AppendOutcome]

  private typealias Member = (
    batch: LogBatch, answer: CheckedContinuation<AppendOutcome, any Error>
  )

  private let write: Write
  private var waiting: [Member] = []
  /// How many groups may be under way at once.
  private var idleWriters: Int

  /// The most batches, and about the most bytes, of a group.
  private static let (mostBatches, mostBytes) = (512, 8 << 20)

  init(writers: Int, _ write: @escaping Write) {
    idleWriters = writers
    self.write = write
  }

  func append(_ batch: LogBatch) async throws(EngineError) -> AppendOutcome {
    do {
      return try await withCheckedThrowingContinuation { answer in
        waiting.append((batch, answer))
        startWriting()
      }
    } catch let error as EngineError {
      throw error
    } catch {
      throw EngineError(.failed, "\(error)")
    }
  }

  private func startWriting() {
    guard idleWriters > 0, !waiting.isEmpty else { return }
    idleWriters -= 1
    Task { await writeGroups() }
  }

  private func writeGroups() async {
    while !waiting.isEmpty {
      let group = takeGroup()
      do {
        let outcomes = try await write(group.map(\.batch))
        for (member, outcome) in zip(group, outcomes) { member.answer.resume(returning: outcome) }
      } catch {
        for member in group { member.answer.resume(throwing: error) }
      }
    }
    idleWriters += 1
  }

  /// Takes batches of different lists: those of one list follow each other.
  private func takeGroup() -> [Member] {
    var lists: Set<TextKey> = []
    var bytes = 0
    var group: [Member] = []
    var left: [Member] = []
    for (index, member) in waiting.enumerated() {
      if group.count == Self.mostBatches || bytes > Self.mostBytes {
        left += waiting[index...]
        break
      }
      if lists.insert(TextKey(member.batch.list)).inserted {
        group.append(member)
        bytes += member.batch.byteCount
      } else {
        left.append(member)
      }
    }
    waiting = left
    return group
  }
}
