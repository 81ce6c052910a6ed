/// The tables of an engine in a file; each text brings the one before it to the next version.
enum SQLiteSchema {
  static let migrations = [
    """
    CREATE TABLE list (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, head INTEGER NOT NULL DEFAULT 0,
      hash BLOB NOT NULL DEFAULT x'', floor INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0, compactAt INTEGER NOT NULL DEFAULT 65536
    ) STRICT;
    CREATE TABLE line (
      list INTEGER NOT NULL, seq INTEGER NOT NULL, hash BLOB NOT NULL, subject TEXT, edit TEXT,
      text TEXT NOT NULL, PRIMARY KEY (list, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE edit (
      list INTEGER NOT NULL, subject TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER, why TEXT,
      at INTEGER NOT NULL, PRIMARY KEY (list, subject, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE snapshot (
      list INTEGER NOT NULL, seq INTEGER NOT NULL, hash BLOB NOT NULL, text TEXT,
      at INTEGER NOT NULL, PRIMARY KEY (list, seq, hash)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE trail (
      list INTEGER NOT NULL, last INTEGER NOT NULL, first INTEGER NOT NULL, hashes BLOB NOT NULL,
      PRIMARY KEY (list, last)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE moved (
      number INTEGER PRIMARY KEY AUTOINCREMENT, list TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE work (list TEXT PRIMARY KEY, leasedUntil INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE revoked (token TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE relay (system TEXT NOT NULL) STRICT;
    INSERT INTO relay VALUES (lower(hex(randomblob(16))));
    """
  ]
}
