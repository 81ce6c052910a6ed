-- Derived lists: lists that are functions of other lists. Each is a list like others, with rows, a
-- log and sizes; its items have the ids and the contents of the source's.

-- What a derived list is.
CREATE TABLE derivedList (
  list INTEGER PRIMARY KEY REFERENCES list (id) ON DELETE CASCADE,
  source TEXT NOT NULL, -- the id of the list that it is made of, which may not be there yet
  ordinal INTEGER NOT NULL, -- in the order of their definitions
  -- A list with a limit is two: the whole one, without the limit, and the first items of that. A draft is
  -- one that is being made, or deleted, in slices; it is made when it has all items.
  part TEXT NOT NULL CHECK (part IN ('all', 'whole', 'first', 'draft', 'made')),
  definition TEXT NOT NULL, -- JSON
  -- If a process without the closures of the definition has changed the source: the source's revision that
  -- the list follows; 0: derive it anew.
  followedRevision INTEGER,
  collation TEXT -- if it is in the order that people of a region expect: the system that has ordered it
) STRICT;

CREATE INDEX index_derivedList_on_source ON derivedList (source);

-- The values that the items of a section have: the least is in its header, and gives it its place.
CREATE TABLE derivedValue (
  section INTEGER NOT NULL REFERENCES section (id) ON DELETE CASCADE,
  value BLOB NOT NULL, -- its order is that of the values
  itemCount INTEGER NOT NULL CHECK (itemCount > 0),
  PRIMARY KEY (section, value)
) STRICT, WITHOUT ROWID;

-- Contents that a source has written otherwise, and that a derived list still names.
CREATE TABLE keptContent (
  content INTEGER NOT NULL,
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  isOrphan INTEGER NOT NULL DEFAULT 0 CHECK (isOrphan IN (0, 1)), -- the source's log has lost it
  leftAt INTEGER, -- the revision of the derived list at which its item took another one
  PRIMARY KEY (content, list)
) STRICT, WITHOUT ROWID;

-- Full-text indexes, made of the items of lists: each over the texts at some paths in the contents.
CREATE TABLE searchIndex (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 32767),
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE, -- that owns the items
  paths TEXT NOT NULL, -- JSON: an array of JSON Pointers, sorted
  isKept INTEGER NOT NULL DEFAULT 0 CHECK (isKept IN (0, 1)), -- also without a derived list
  UNIQUE (list, paths)
) STRICT;

-- The words of all indexes. A row is an item of an index: its id is searchIndex.id << 48 | item.id. It
-- keeps no text, so to delete a row takes the text that was inserted. An item has several texts, of which
-- the symbol between them makes words that are not next to each other. With one letter most items are
-- found: they are listed by the first letters of their words, too.
CREATE VIRTUAL TABLE searchText USING fts5 (
  text, content = '', columnsize = 0, prefix = '1',
  tokenize = "unicode61 remove_diacritics 2 tokenchars '␞'"
);

-- Of a derived list: the revision of its source that the commit follows.
ALTER TABLE listCommit ADD COLUMN sourceRevision INTEGER;

--! down
DROP TABLE searchText;
DROP TABLE searchIndex;
DROP TABLE keptContent;
DROP TABLE derivedValue;
DROP INDEX index_derivedList_on_source;
DROP TABLE derivedList;
ALTER TABLE listCommit DROP COLUMN sourceRevision;
