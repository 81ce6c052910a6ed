-- What more a section is: whether a view is shown it, and what stands behind or before its parts.
--! one-way version 2 has no place for visibilities and decorations

ALTER TABLE section ADD COLUMN visibility TEXT NOT NULL DEFAULT 'shown'
  CHECK (visibility IN ('shown', 'hidden', 'hiddenWhenEmpty'));
-- Few sections have another: whoever opens a list asks for these.
CREATE INDEX index_section_on_visibility ON section (list) WHERE visibility <> 'shown';

-- Views behind or before a part of a section, in order.
CREATE TABLE decoration (
  section INTEGER NOT NULL REFERENCES section (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0), -- from 0, without gaps
  view TEXT NOT NULL CHECK (length(CAST(view AS BLOB)) BETWEEN 1 AND 256),
  element TEXT NOT NULL CHECK (element IN ('section', 'header', 'items', 'footer')), -- the part
  zIndex INTEGER NOT NULL, -- items are at 0
  insetTop REAL CHECK (insetTop BETWEEN -1e6 AND 1e6), -- points
  insetLeft REAL CHECK (insetLeft BETWEEN -1e6 AND 1e6),
  insetBottom REAL CHECK (insetBottom BETWEEN -1e6 AND 1e6),
  insetRight REAL CHECK (insetRight BETWEEN -1e6 AND 1e6),
  content TEXT, -- JSON; NULL: none
  PRIMARY KEY (section, ordinal)
) STRICT, WITHOUT ROWID;

-- As for the other tables of a list: these tell of every writer but Cellar.
CREATE TRIGGER decoration_insert AFTER INSERT ON decoration BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER decoration_update AFTER UPDATE ON decoration BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER decoration_delete AFTER DELETE ON decoration BEGIN UPDATE store SET isBypassed = 1; END;
