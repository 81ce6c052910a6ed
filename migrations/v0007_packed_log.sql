-- Each content is stored once, and the log is packed: half the bytes of before. After this file,
-- Cellar copies items and the log in code (`LogPacking.swift`): SQL would write JSON texts anew. At
-- last it drops the tables whose names begin with `old`.
--! one-way version 6 logs whole states as texts, which the packed log does not keep
--! renames itemContent content
--! fewer-rows change

DROP TRIGGER item_insert;
DROP TRIGGER item_update;
DROP TRIGGER item_delete;
DROP TRIGGER itemContent_insert;
DROP TRIGGER itemContent_update;
DROP TRIGGER itemContent_delete;
ALTER TABLE item RENAME TO oldItem;
ALTER TABLE change RENAME TO oldChange;

-- What items hold and held. A row never changes: an update of an item makes another one. It is
-- deleted when neither an item nor an entry of the log names it. Its id is that of the item whose
-- first content it is, or another one.
ALTER TABLE itemContent RENAME TO content;

-- Where an item is, by its name. The rest of it is in its block's members:
-- [id, name, cell, content revision if it is not 0, content if it has another id than the item].
CREATE TABLE item (
  list INTEGER NOT NULL,
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
  id INTEGER NOT NULL, -- ids of items and of contents are given out by store.lastItem
  block INTEGER NOT NULL, -- that has its place
  PRIMARY KEY (list, name)
) STRICT, WITHOUT ROWID;

-- The log: consecutive changes of a commit in each row, as many as fill a page. The rows of a commit
-- have consecutive ids, from listCommit.firstChange on.
CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL,
  revision INTEGER NOT NULL, -- of a row in listCommit
  entries TEXT NOT NULL, -- JSON: an array for each change; tools/looking.sql shows them
  seams BLOB -- the neighbours of the places that changed; NULL: a version 1 log, not yet sealed
) STRICT;
ALTER TABLE listCommit ADD COLUMN firstChange INTEGER; -- NULL: it has none

-- The chain of commits up to this revision is of states as JSON, as versions up to 6 logged them.
ALTER TABLE list ADD COLUMN hashedAsJSON INTEGER NOT NULL DEFAULT 0 CHECK (hashedAsJSON >= 0);
UPDATE list SET hashedAsJSON = revision WHERE chain IS NOT NULL;

-- As before: these tell of every writer but Cellar.
CREATE TRIGGER item_insert AFTER INSERT ON item BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER item_update AFTER UPDATE ON item BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER item_delete AFTER DELETE ON item BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER content_insert AFTER INSERT ON content BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER content_update AFTER UPDATE ON content BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER content_delete AFTER DELETE ON content BEGIN UPDATE store SET isBypassed = 1; END;
