public import Foundation

// Apps of the other systems start no programs.
#if os(macOS) || os(Linux)
  /// A folder that can't be written, or on which no room is left, as long as this lives.
  public final class MountedFolder: Sendable {
    private let url: URL

    /// Gives a folder a name under which nobody can write in it: another one, or its own.
    public init(readOnly folder: URL, at url: URL) throws {
      self.url = url
      try Self.shell(
        """
        mount --bind '\(folder.path)' '\(url.path)' && mount -o remount,bind,ro '\(url.path)'
        """)
    }

    /// Moves what is in a folder to a disk that it fills.
    public init(full url: URL) throws {
      self.url = url
      let aside = url.path + "-aside"
      try Self.shell(
        """
        cp -a '\(url.path)' '\(aside)' && mount -t tmpfs -o size=4m none '\(url.path)' \
        && cp -a '\(aside)'/. '\(url.path)' && rm -r '\(aside)' \
        && { cat /dev/zero > '\(url.path)/filler'; true; }
        """)
    }

    deinit { try? Self.shell("umount '\(url.path)'") }

    private static func shell(_ command: String) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", command]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      if process.terminationStatus != 0 { throw CocoaError(.fileWriteUnknown) }
    }

    /// It takes the superuser, and not every container lets.
    public static let canBeMade: Bool = {
      guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
      return (try? MountedFolder(readOnly: folder.url, at: folder.url)) != nil
        && (try? MountedFolder(full: folder.url)) != nil
    }()
  }
#endif
