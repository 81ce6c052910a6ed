-- Lists of any length: order in counted blocks instead of positions; content, structure and sizes in
-- tables of their own; commits that prove themselves. Every row of version 1 comes along.
--! one-way version 1 has no place for checksums of states and for sizes of several widths
--! loses list sectionCount

-- What was made so far; `lastItem` because the id of a deleted item must not come back: a size that
-- was measured for it may still be on its way.
ALTER TABLE store ADD COLUMN lastItem INTEGER NOT NULL DEFAULT 0 CHECK (lastItem >= 0);
-- Set by the triggers below when something else than Cellar wrote.
ALTER TABLE store ADD COLUMN isBypassed INTEGER NOT NULL DEFAULT 0 CHECK (isBypassed IN (0, 1));

-- Where a list stands: the checksum of its state and the hash that chains its commits (both are
-- computed when a Repository opens the store), and the first revision from which the log leads on.
ALTER TABLE list ADD COLUMN root INTEGER; -- the block over its sections
ALTER TABLE list ADD COLUMN digest INTEGER;
ALTER TABLE list ADD COLUMN chain INTEGER;
ALTER TABLE list ADD COLUMN logFloor INTEGER NOT NULL DEFAULT 0 CHECK (logFloor >= 0);
ALTER TABLE list ADD COLUMN floorChain INTEGER NOT NULL DEFAULT 0;
-- Of all commits there ever were: how many changes, and how many bytes their rows took.
ALTER TABLE list ADD COLUMN changeTotal INTEGER NOT NULL DEFAULT 0 CHECK (changeTotal >= 0);
ALTER TABLE list ADD COLUMN byteTotal INTEGER NOT NULL DEFAULT 0 CHECK (byteTotal >= 0);

ALTER TABLE listCommit ADD COLUMN digest INTEGER; -- of the list after the commit
ALTER TABLE listCommit ADD COLUMN chain INTEGER; -- of this commit and all before it
-- The list's totals after the commit, so that the room which commits take is a difference.
ALTER TABLE listCommit ADD COLUMN changeTotal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE listCommit ADD COLUMN byteTotal INTEGER NOT NULL DEFAULT 0;

-- The log, with what was around the places that a change took from and put into. The operation is
-- compared one by one: for a list of values SQLite makes a table of its own, at each insert.
ALTER TABLE change RENAME TO oldChange;
CREATE TABLE change (
  list INTEGER NOT NULL,
  revision INTEGER NOT NULL, -- of a row in listCommit
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  operation TEXT NOT NULL CHECK (
    operation = 'insertItem' OR operation = 'updateItem' OR operation = 'moveItem'
    OR operation = 'deleteItem' OR operation = 'touchItem' OR operation = 'insertSection'
    OR operation = 'updateSection' OR operation = 'moveSection' OR operation = 'deleteSection'),
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
INSERT INTO change (list, revision, ordinal, operation, section, item, fromSection, fromItem,
    toSection, toItem, before, after)
  SELECT list, revision, ordinal, operation, section, item, fromSection, fromItem,
    toSection, toItem, before, after
  FROM oldChange;
DROP TABLE oldChange;

ALTER TABLE section RENAME TO oldSection;
ALTER TABLE supplementary RENAME TO oldSupplementary;
ALTER TABLE item RENAME TO oldItem;
ALTER TABLE measuredSize RENAME TO oldMeasuredSize;
DROP INDEX index_measuredSize_on_environment;

-- The order of a list's sections, and of each section's items: a tree with counts. Members of level
-- 0 are [id, name] of sections or [id, name, cell, content revision] of items; above it, they are
-- [block, members below it], in order.
CREATE TABLE block (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL,
  section INTEGER, -- whose items it orders; NULL where it orders the list's sections
  parent INTEGER, -- NULL at the root
  level INTEGER NOT NULL CHECK (level BETWEEN 0 AND 20),
  memberCount INTEGER NOT NULL CHECK (memberCount >= 0), -- sections or items in it and below
  members TEXT NOT NULL -- JSON
) STRICT;

CREATE TABLE section (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL REFERENCES list (id),
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
  block INTEGER NOT NULL, -- that has its place
  root INTEGER NOT NULL, -- the block over its items
  itemCount INTEGER NOT NULL DEFAULT 0 CHECK (itemCount >= 0),
  layoutKind TEXT CHECK (layoutKind IN ('flow', 'waterfall', 'list')),
  columns INTEGER CHECK (columns BETWEEN 1 AND 1000),
  lineSpacing REAL CHECK (lineSpacing BETWEEN -1e6 AND 1e6), -- points, as all lengths here
  interitemSpacing REAL CHECK (interitemSpacing BETWEEN -1e6 AND 1e6),
  insetTop REAL CHECK (insetTop BETWEEN -1e6 AND 1e6),
  insetLeft REAL CHECK (insetLeft BETWEEN -1e6 AND 1e6),
  insetBottom REAL CHECK (insetBottom BETWEEN -1e6 AND 1e6),
  insetRight REAL CHECK (insetRight BETWEEN -1e6 AND 1e6),
  meta TEXT, -- JSON
  UNIQUE (list, name)
) STRICT;

-- Headers, footers and other views of a section that are not items.
CREATE TABLE supplementary (
  section INTEGER NOT NULL REFERENCES section (id) ON DELETE CASCADE,
  kind TEXT NOT NULL, -- 'header', 'footer'
  view TEXT NOT NULL CHECK (length(CAST(view AS BLOB)) BETWEEN 1 AND 256),
  content TEXT NOT NULL, -- JSON
  PRIMARY KEY (section, kind)
) STRICT, WITHOUT ROWID;

-- Where an item is. Its cell and content revision stand in the block.
CREATE TABLE item (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL,
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
  block INTEGER NOT NULL, -- that has its place
  UNIQUE (list, name)
) STRICT;

-- What an item is: read when a cell asks.
CREATE TABLE itemContent (
  id INTEGER PRIMARY KEY, -- the item's
  type TEXT,
  action TEXT, -- JSON: url, event, attrs
  content TEXT NOT NULL -- JSON
) STRICT;

-- What a measured size holds for: what flips back and forth. One row a real combination.
CREATE TABLE sizeKey (
  id INTEGER PRIMARY KEY,
  axis TEXT NOT NULL CHECK (axis IN ('horizontal', 'vertical')), -- the direction of scrolling
  fittingPixels INTEGER NOT NULL CHECK (fittingPixels > 0), -- across it, in device pixels
  variant TEXT NOT NULL, -- a state that changes the size: '', 'expanded'
  environment INTEGER NOT NULL REFERENCES layoutEnvironment (id),
  usedAt INTEGER NOT NULL DEFAULT 0, -- milliseconds since 1970: the key used longest ago goes first
  UNIQUE (axis, fittingPixels, variant, environment)
) STRICT;
CREATE INDEX index_sizeKey_on_environment ON sizeKey (environment);

-- Measured sizes, a cache. Beside the key they have what only goes forward or tells one layout from
-- another: compared on read, so that an edit overwrites instead of piling up rows.
CREATE TABLE measuredSize (
  item INTEGER NOT NULL,
  sizeKey INTEGER NOT NULL,
  width REAL NOT NULL CHECK (width BETWEEN 0 AND 1e6), -- points
  height REAL NOT NULL CHECK (height BETWEEN 0 AND 1e6), -- points
  cell INTEGER NOT NULL,
  contentRevision INTEGER NOT NULL,
  layout INTEGER, -- hash of the section's layout, 0 for none; NULL: version 1 did not note it
  measurerVersion INTEGER NOT NULL,
  PRIMARY KEY (item, sizeKey)
) STRICT, WITHOUT ROWID;

-- Of a header, a footer: goes with the view, or with its section.
CREATE TABLE supplementarySize (
  section INTEGER NOT NULL,
  kind TEXT NOT NULL,
  sizeKey INTEGER NOT NULL REFERENCES sizeKey (id) ON DELETE CASCADE,
  width REAL NOT NULL CHECK (width BETWEEN 0 AND 1e6), -- points
  height REAL NOT NULL CHECK (height BETWEEN 0 AND 1e6), -- points
  content INTEGER NOT NULL, -- hash of the view's name and content
  layout INTEGER NOT NULL, -- hash of the section's layout; 0: none
  measurerVersion INTEGER NOT NULL,
  PRIMARY KEY (section, kind, sizeKey),
  FOREIGN KEY (section, kind) REFERENCES supplementary (section, kind) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX index_supplementarySize_on_sizeKey ON supplementarySize (sizeKey);

-- The sums of the sizes in each block: how long the list is, and what is at an offset.
CREATE TABLE blockExtent (
  sizeKey INTEGER NOT NULL,
  block INTEGER NOT NULL,
  measured INTEGER NOT NULL CHECK (measured > 0), -- items with a size
  length INTEGER NOT NULL CHECK (length >= 0), -- along the direction of scrolling, in 1/1024 points
  PRIMARY KEY (sizeKey, block)
) STRICT, WITHOUT ROWID;

-- What version 1 has, in blocks of 48: three quarters full, so that each takes some inserts before it
-- splits. Rows are counted anew: from here on a count that is wrong is damage.
INSERT INTO section (id, list, name, block, root, itemCount, layoutKind, columns, lineSpacing,
    interitemSpacing, insetTop, insetLeft, insetBottom, insetRight, meta)
  SELECT id, list, name, 0, 0, (SELECT count(*) FROM oldItem WHERE oldItem.section = oldSection.id),
    layoutKind, columns, lineSpacing, interitemSpacing, insetTop, insetLeft, insetBottom, insetRight,
    meta
  FROM oldSection;
UPDATE list SET sectionCount = (SELECT count(*) FROM section WHERE section.list = list.id);
INSERT INTO supplementary (section, kind, view, content)
  SELECT section, kind, view, content FROM oldSupplementary;
INSERT INTO itemContent (id, type, action, content)
  SELECT id, type, action, content FROM oldItem;
UPDATE store SET lastItem = (SELECT coalesce(max(id), 0) FROM oldItem);

CREATE TABLE migrationEntry (
  list INTEGER, section INTEGER, ordinal INTEGER, siblings INTEGER, size INTEGER, entry TEXT);
CREATE TABLE migrationParent (child INTEGER PRIMARY KEY, parent INTEGER);
INSERT INTO migrationEntry
  SELECT list, NULL, row_number() OVER (PARTITION BY list ORDER BY position) - 1, 0, 1,
    json_array(id, name)
  FROM oldSection;
INSERT INTO migrationEntry
  SELECT list, section, row_number() OVER (PARTITION BY section ORDER BY position) - 1, 0, 1,
    json_array(id, name, cell, contentRevision)
  FROM oldItem;
INSERT INTO block (list, section, level, memberCount, members)
  SELECT list, section, 0, total, entries FROM (
    SELECT list, section, ordinal, sum(size) OVER part AS total,
      json_group_array(json(entry)) OVER part AS entries
    FROM migrationEntry
    WINDOW part AS (PARTITION BY list, section, ordinal / 48 ORDER BY ordinal
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))
  WHERE ordinal % 48 = 0 ORDER BY list, section, ordinal;
-- Also where there is nothing to order.
INSERT INTO block (list, section, level, memberCount, members)
  SELECT list, id, 0, 0, '[]' FROM section WHERE itemCount = 0
  UNION ALL
  SELECT id, NULL, 0, 0, '[]' FROM list WHERE sectionCount = 0;

-- Over several blocks of one order a block that counts them, over 150 at most; up to three levels of
-- them, which is enough for 162,000,000 items in a section. Ids of a level are in the order's order.
DELETE FROM migrationEntry;
INSERT INTO migrationEntry
  SELECT list, section, row_number() OVER (PARTITION BY list, section ORDER BY id) - 1,
    count(*) OVER (PARTITION BY list, section), memberCount, json_array(id, memberCount)
  FROM block WHERE level = 0;
INSERT INTO block (list, section, level, memberCount, members)
  SELECT list, section, 1, total, entries FROM (
    SELECT list, section, ordinal, sum(size) OVER part AS total,
      json_group_array(json(entry)) OVER part AS entries
    FROM migrationEntry WHERE siblings > 1
    WINDOW part AS (PARTITION BY list, section, ordinal / 150 ORDER BY ordinal
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))
  WHERE ordinal % 150 = 0 ORDER BY list, section, ordinal;
INSERT INTO migrationParent
  SELECT json_extract(value, '$[0]'), block.id
  FROM block, json_each(block.members) WHERE level = 1;

DELETE FROM migrationEntry;
INSERT INTO migrationEntry
  SELECT list, section, row_number() OVER (PARTITION BY list, section ORDER BY id) - 1,
    count(*) OVER (PARTITION BY list, section), memberCount, json_array(id, memberCount)
  FROM block WHERE level = 1;
INSERT INTO block (list, section, level, memberCount, members)
  SELECT list, section, 2, total, entries FROM (
    SELECT list, section, ordinal, sum(size) OVER part AS total,
      json_group_array(json(entry)) OVER part AS entries
    FROM migrationEntry WHERE siblings > 1
    WINDOW part AS (PARTITION BY list, section, ordinal / 150 ORDER BY ordinal
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))
  WHERE ordinal % 150 = 0 ORDER BY list, section, ordinal;
INSERT INTO migrationParent
  SELECT json_extract(value, '$[0]'), block.id
  FROM block, json_each(block.members) WHERE level = 2;

DELETE FROM migrationEntry;
INSERT INTO migrationEntry
  SELECT list, section, row_number() OVER (PARTITION BY list, section ORDER BY id) - 1,
    count(*) OVER (PARTITION BY list, section), memberCount, json_array(id, memberCount)
  FROM block WHERE level = 2;
INSERT INTO block (list, section, level, memberCount, members)
  SELECT list, section, 3, total, entries FROM (
    SELECT list, section, ordinal, sum(size) OVER part AS total,
      json_group_array(json(entry)) OVER part AS entries
    FROM migrationEntry WHERE siblings > 1
    WINDOW part AS (PARTITION BY list, section, ordinal / 150 ORDER BY ordinal
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))
  WHERE ordinal % 150 = 0 ORDER BY list, section, ordinal;
INSERT INTO migrationParent
  SELECT json_extract(value, '$[0]'), block.id
  FROM block, json_each(block.members) WHERE level = 3;
UPDATE block SET parent = (SELECT parent FROM migrationParent WHERE child = block.id)
  WHERE id IN (SELECT child FROM migrationParent);
DROP TABLE migrationEntry;
DROP TABLE migrationParent;

UPDATE list SET root = block.id
  FROM block WHERE block.list = list.id AND block.section IS NULL AND block.parent IS NULL;
UPDATE section SET root = block.id
  FROM block WHERE block.section = section.id AND block.parent IS NULL;
UPDATE section SET block = leaf.id
  FROM (SELECT block.id, json_extract(value, '$[0]') AS member
    FROM block, json_each(block.members) WHERE level = 0 AND block.section IS NULL) AS leaf
  WHERE section.id = leaf.member;
INSERT INTO item (id, list, name, block)
  SELECT oldItem.id, oldItem.list, oldItem.name, block.id
  FROM block CROSS JOIN json_each(block.members)
    CROSS JOIN oldItem ON oldItem.id = json_extract(value, '$[0]')
  WHERE level = 0 AND block.section IS NOT NULL;

INSERT INTO sizeKey (axis, fittingPixels, variant, environment)
  SELECT DISTINCT axis, fittingPixels, variant, environment FROM oldMeasuredSize;
INSERT INTO measuredSize (item, sizeKey, width, height, cell, contentRevision, layout,
    measurerVersion)
  SELECT item, sizeKey.id, width, height, cell, contentRevision, NULL, measurerVersion
  FROM oldMeasuredSize JOIN sizeKey USING (axis, fittingPixels, variant, environment);
INSERT INTO blockExtent (sizeKey, block, measured, length)
  SELECT sizeKey, item.block, count(*),
    sum(CAST(round(iif(axis = 'vertical', height, width) * 1024) AS INTEGER))
  FROM measuredSize JOIN item ON item.id = measuredSize.item JOIN sizeKey ON sizeKey.id = measuredSize.sizeKey
  GROUP BY sizeKey, item.block;
INSERT INTO blockExtent (sizeKey, block, measured, length)
  SELECT sizeKey, parent, sum(measured), sum(length)
  FROM blockExtent JOIN block ON block.id = blockExtent.block WHERE level = 0 AND parent IS NOT NULL
  GROUP BY sizeKey, parent;
INSERT INTO blockExtent (sizeKey, block, measured, length)
  SELECT sizeKey, parent, sum(measured), sum(length)
  FROM blockExtent JOIN block ON block.id = blockExtent.block WHERE level = 1 AND parent IS NOT NULL
  GROUP BY sizeKey, parent;
INSERT INTO blockExtent (sizeKey, block, measured, length)
  SELECT sizeKey, parent, sum(measured), sum(length)
  FROM blockExtent JOIN block ON block.id = blockExtent.block WHERE level = 2 AND parent IS NOT NULL
  GROUP BY sizeKey, parent;

DROP TABLE oldMeasuredSize;
DROP TABLE oldItem;
DROP TABLE oldSupplementary;
DROP TABLE oldSection;

-- Cellar's own connections run no triggers. So these tell of every other writer, whose changes are in
-- no log.
CREATE TRIGGER item_insert AFTER INSERT ON item BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER item_update AFTER UPDATE ON item BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER item_delete AFTER DELETE ON item BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER itemContent_insert AFTER INSERT ON itemContent BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER itemContent_update AFTER UPDATE ON itemContent BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER itemContent_delete AFTER DELETE ON itemContent BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER block_insert AFTER INSERT ON block BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER block_update AFTER UPDATE ON block BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER block_delete AFTER DELETE ON block BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER section_insert AFTER INSERT ON section BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER section_update AFTER UPDATE ON section BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER section_delete AFTER DELETE ON section BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER supplementary_insert AFTER INSERT ON supplementary BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER supplementary_update AFTER UPDATE ON supplementary BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER supplementary_delete AFTER DELETE ON supplementary BEGIN UPDATE store SET isBypassed = 1; END;
