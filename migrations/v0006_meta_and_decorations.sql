-- A decoration can be one item's: then its element is the items, and this names the one.
--! one-way version 5 has no place for meta of lists and for decorations of items
ALTER TABLE decoration ADD COLUMN item TEXT CHECK (
  item IS NULL OR length(CAST(item AS BLOB)) BETWEEN 1 AND 256 AND element = 'items');

-- The app's own data about a list: a title, a cursor, an ETag. It is part of the list's state, as the
-- meta of a section is.
ALTER TABLE list ADD COLUMN meta TEXT; -- JSON
-- As for the tables of a list's sections and items: it tells of every writer but Cellar.
CREATE TRIGGER list_update AFTER UPDATE OF meta ON list BEGIN UPDATE store SET isBypassed = 1; END;

-- The log takes one operation more.
ALTER TABLE change RENAME TO oldChange;
CREATE TABLE change (
  list INTEGER NOT NULL,
  revision INTEGER NOT NULL, -- of a row in listCommit
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  operation TEXT NOT NULL CHECK (
    operation = 'insertItem' OR operation = 'updateItem' OR operation = 'moveItem'
    OR operation = 'deleteItem' OR operation = 'touchItem' OR operation = 'insertSection'
    OR operation = 'updateSection' OR operation = 'moveSection' OR operation = 'deleteSection'
    OR operation = 'updateList'),
  section TEXT,
  item TEXT,
  fromSection INTEGER,
  fromItem INTEGER,
  toSection INTEGER,
  toItem INTEGER,
  before TEXT, -- JSON: the state that the change replaced or deleted
  after TEXT, -- JSON: the state that it set
  seams BLOB, -- 24 bytes a place
  PRIMARY KEY (list, revision, ordinal)
) STRICT, WITHOUT ROWID;
INSERT INTO change SELECT * FROM oldChange;
DROP TABLE oldChange;
