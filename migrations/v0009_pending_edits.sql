-- Edits that a server has not answered, as the outbox of a list; what users undo; edits of extensions.
--! minimum-reader 7

-- While an edit waits for its answer, the ordinary edits of its list are here too: a line of the feed
-- is applied to the list without any of them, and they are made again after it.
CREATE TABLE pendingEdit (
  id INTEGER PRIMARY KEY, -- ascends in the order in which they were made
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256), -- the server's id
  author INTEGER NOT NULL REFERENCES author (id),
  time INTEGER, -- milliseconds since 1970
  state TEXT NOT NULL
    CHECK (state IN ('local', 'waiting', 'accepted', 'conflicted', 'rejected')),
  changes TEXT NOT NULL, -- JSON: operations of a feed, as the edit made them
  undo TEXT, -- JSON: operations that take it out of the list; NULL: the list does not show it
  why TEXT, -- of a conflict or a rejection
  found TEXT -- JSON: what the list has instead, of a conflict
) STRICT;
CREATE INDEX index_pendingEdit_on_list ON pendingEdit (list);

ALTER TABLE listCommit ADD COLUMN undoes INTEGER; -- the revision of the commit that it takes back
-- Of an edit, the first commit of its undo step; of an undo or a redo of a whole step, the same as
-- undoes; NULL where there is nothing for a user to undo, as in a commit of a feed.
ALTER TABLE listCommit ADD COLUMN step INTEGER;
ALTER TABLE store ADD COLUMN importedEdits TEXT; -- JSON: files of the inbox, imported and not deleted

--! down
ALTER TABLE store DROP COLUMN importedEdits;
ALTER TABLE listCommit DROP COLUMN step;
ALTER TABLE listCommit DROP COLUMN undoes;
DROP TABLE pendingEdit;
