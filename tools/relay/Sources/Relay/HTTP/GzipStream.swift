import CZlib
import NIOCore

/// Compresses bytes as they come, in the format of gzip.
///
/// zlib's state points back at itself, so it has a place of its own, which goes with the object.
final class GzipStream {
  private let state: UnsafeMutablePointer<z_stream>

  /// - Throws: ``RelayFailure`` if there is no memory for it.
  init() throws {
    state = .allocate(capacity: 1)
    state.initialize(to: z_stream())
    let status = deflateInit2_(
      state, Self.level, Z_DEFLATED, Self.windowBits, Self.memoryLevel, Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw RelayFailure(.unavailable, "zlib does not start: \(status)") }
  }

  deinit {
    deflateEnd(state)
    state.deallocate()
  }

  private static let level: Int32 = 6
  /// 32 KiB of history, and 16 for a gzip header.
  private static let windowBits: Int32 = 15 + 16
  private static let memoryLevel: Int32 = 8
  private static let roomAtOnce = 16 << 10

  /// Compresses more bytes; what comes out may belong to earlier ones.
  func compress(_ bytes: ByteBuffer) throws -> ByteBuffer { try run(bytes, Z_NO_FLUSH) }

  /// What is left.
  func finish() throws -> ByteBuffer { try run(ByteBuffer(), Z_FINISH) }

  private func run(_ bytes: ByteBuffer, _ flush: Int32) throws -> ByteBuffer {
    var output = ByteBuffer()
    var status = Z_OK
    bytes.withUnsafeReadableBytes { input in
      // zlib reads it only; its declaration has no const.
      state.pointee.next_in = UnsafeMutablePointer(
        mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
      state.pointee.avail_in = UInt32(input.count)
      repeat {
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.roomAtOnce) { room in
          state.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
          state.pointee.avail_out = UInt32(room.count)
          status = deflate(state, flush)
          return room.count - Int(state.pointee.avail_out)
        }
      } while state.pointee.avail_out == 0 && status == Z_OK
      state.pointee.next_in = nil
    }
    // Z_BUF_ERROR says that there was nothing to do.
    guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else {
      throw RelayFailure(.unavailable, "zlib fails: \(status)")
    }
    return output
  }
}
