-- Which lines of a feed a list has taken, so that a feed that is read again is recognised, also one
-- with resets, and also when the log of the commits is truncated.
--! one-way version 4 has no place for the feed lines that were applied

-- One row a line. A reset begins a stretch of lines; it is the stretch's line 0. Of old lines only
-- a stretch's first and last ones are kept.
CREATE TABLE feedLine (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  stretch INTEGER NOT NULL CHECK (stretch >= 0), -- resets before the line, a reset itself included
  sequence INTEGER NOT NULL CHECK (sequence >= 0), -- the line's "seq"; 0 for a reset
  digest BLOB CHECK (length(digest) <= 16), -- how the line's SHA-256 begins; NULL: not known
  isSnapshot INTEGER NOT NULL CHECK (isSnapshot IN (0, 1)), -- it may stand for the lines before it
  revision INTEGER, -- of the commit that it became; NULL: not known
  endsRun INTEGER NOT NULL DEFAULT 0 CHECK (endsRun IN (0, 1)), -- it was the last one of a file
  PRIMARY KEY (list, stretch, sequence)
) STRICT, WITHOUT ROWID;

-- Where the last run of a feed ended, if before the last line that was applied: the next run may go
-- on there.
ALTER TABLE list ADD COLUMN feedReadStretch INTEGER;
ALTER TABLE list ADD COLUMN feedReadSequence INTEGER;

-- What the log still tells. A line after a hole is a snapshot, or the log was truncated before it.
INSERT INTO feedLine (list, stretch, sequence, digest, isSnapshot, revision)
  SELECT list, sum(feedSequence = 0) OVER earlier, feedSequence,
    substr(feedDigest, 1, 16),
    feedSequence > 0 AND feedSequence <> coalesce(lag(feedSequence) OVER earlier, 0) + 1, revision
  FROM listCommit WHERE feedSequence >= 0
  WINDOW earlier AS (PARTITION BY list ORDER BY revision)
  ON CONFLICT DO NOTHING;
-- Of a list whose log does not have any of its lines, the last number is known.
INSERT INTO feedLine (list, stretch, sequence, isSnapshot)
  SELECT id, 0, feedSequence, 1 FROM list
  WHERE feedSequence > 0 AND id NOT IN (SELECT list FROM feedLine);
