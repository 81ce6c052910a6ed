-- Gaps: items that stand for what a list has not loaded.

-- Of its items, those that are gaps.
ALTER TABLE list ADD COLUMN gapCount INTEGER NOT NULL DEFAULT 0 CHECK (gapCount >= 0);

-- Pages of a server may be newer than what its feed has told so far: up to this number of its lines.
ALTER TABLE list ADD COLUMN pageSequence INTEGER NOT NULL DEFAULT 0 CHECK (pageSequence >= 0);

UPDATE list SET gapCount = (
  SELECT count(*) FROM block JOIN json_each(members)
  WHERE block.list = list.id AND level = 0 AND section IS NOT NULL
    AND json_extract(value, '$[2]') = (SELECT id FROM cell WHERE name = '#gap'))
WHERE EXISTS (SELECT 1 FROM cell WHERE name = '#gap');

-- The revision up to which the rows of pageEnd are known to be right.
ALTER TABLE list ADD COLUMN pageRevision INTEGER NOT NULL DEFAULT 0 CHECK (pageRevision >= 0);

-- Where pages ended: with these cursors a server is asked again for what stands there, should that become
-- a gap. Items that have moved since are not there.
CREATE TABLE pageEnd (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  item TEXT NOT NULL CHECK (length(CAST(item AS BLOB)) BETWEEN 1 AND 256),
  before TEXT, -- the cursor of what stands before the item
  after TEXT, -- the cursor of what stands after it
  PRIMARY KEY (list, item),
  CHECK (before IS NOT NULL OR after IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- Pages that a process is loading, so that no other one asks for them meanwhile.
CREATE TABLE pageRequest (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  gap TEXT NOT NULL, -- the gap's item; '': the newest page
  edge TEXT NOT NULL CHECK (edge IN ('upper', 'lower', 'newest')), -- of the gap, that the page is for
  process BLOB NOT NULL CHECK (length(process) = 16), -- who asks
  until INTEGER NOT NULL, -- the time after which it has been given up, unless it says otherwise
  PRIMARY KEY (list, gap, edge)
) STRICT, WITHOUT ROWID;

--! down
DROP TABLE pageRequest;
DROP TABLE pageEnd;
ALTER TABLE list DROP COLUMN pageRevision;
ALTER TABLE list DROP COLUMN pageSequence;
ALTER TABLE list DROP COLUMN gapCount;
