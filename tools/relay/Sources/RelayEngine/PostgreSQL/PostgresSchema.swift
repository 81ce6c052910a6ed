/// The tables of an engine in PostgreSQL; each text brings the one before it to the next version.
enum PostgresSchema {
  static let migrations = [
    """
    CREATE TABLE list (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text COLLATE "C" NOT NULL UNIQUE, head bigint NOT NULL DEFAULT 0,
      hash bytea NOT NULL DEFAULT '', floor bigint NOT NULL DEFAULT 0,
      bytes bigint NOT NULL DEFAULT 0, compact_at bigint NOT NULL DEFAULT 65536
    ) WITH (fillfactor = 50);
    CREATE TABLE line (
      list bigint NOT NULL, seq bigint NOT NULL, hash bytea NOT NULL, subject text, edit text,
      text text NOT NULL, PRIMARY KEY (list, seq)
    );
    CREATE TABLE edit (
      list bigint NOT NULL, subject text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
      seq bigint, why text, at bigint NOT NULL, PRIMARY KEY (list, subject, id)
    );
    CREATE TABLE snapshot (
      list bigint NOT NULL, seq bigint NOT NULL, hash bytea NOT NULL, text text,
      at bigint NOT NULL, PRIMARY KEY (list, seq, hash)
    );
    CREATE TABLE trail (
      list bigint NOT NULL, last bigint NOT NULL, first bigint NOT NULL, hashes bytea NOT NULL,
      PRIMARY KEY (list, last)
    );
    CREATE TABLE moved (xid xid8 NOT NULL, lists text[] NOT NULL, at bigint NOT NULL);
    CREATE INDEX moved_on_xid ON moved (xid);
    CREATE TABLE work (list text COLLATE "C" PRIMARY KEY, leased_until bigint NOT NULL);
    CREATE TABLE revoked (token text COLLATE "C" PRIMARY KEY, until bigint NOT NULL);
    """
  ]

  /// The schema of the tables, so that they may stand beside those of an app.
  static let name = "cellar_relay"
}
