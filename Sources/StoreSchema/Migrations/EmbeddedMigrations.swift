// Written by tools/embed from migrations/*.sql: edit those.
// swift-format-ignore-file

extension Migration {
  /// Every migration of this library, in the order of their versions.
  package static let all: [Migration] = [
    Migration(
      version: 1, name: "v0001_lists",
      checksum: "1:21ac3dcc532c9ea54826ed28497236cf87763d4bd2fe34a0a451b96b1d38b36c",
      sql: ####"""
-- The first schema: lists with their sections and items, measured sizes, and the change log.
-- Tables are STRICT, so that a column holds what its type says or nothing.
--! one-way there is no version before it

-- Which migrations made this schema. The checksum is of the canonical SQL: without comments, white
-- space folded. Prefixed by the version of that rule.
CREATE TABLE schemaMigration (
  version INTEGER PRIMARY KEY CHECK (version > 0),
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  appliedAt INTEGER NOT NULL -- milliseconds since 1970
) STRICT;

-- One row: which store this is.
CREATE TABLE store (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  storeID BLOB NOT NULL CHECK (length(storeID) = 16),
  createdAt INTEGER NOT NULL -- milliseconds since 1970
) STRICT;

INSERT INTO store (id, storeID, createdAt) VALUES (
  1, randomblob(16), CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER));

CREATE TABLE list (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
  revision INTEGER NOT NULL CHECK (revision >= 0), -- commits so far, whoever wrote them
  feedSequence INTEGER NOT NULL DEFAULT 0 CHECK (feedSequence >= 0), -- last applied feed line
  sectionCount INTEGER NOT NULL DEFAULT 0 CHECK (sectionCount >= 0)
) STRICT;

-- Cell names, stored once.
CREATE TABLE cell (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256)
) STRICT;

-- Sections stand in the order of their positions, which have gaps and mean nothing else.
CREATE TABLE section (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL REFERENCES list (id),
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
  position INTEGER NOT NULL,
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
  UNIQUE (list, name),
  UNIQUE (list, position)
) STRICT;

-- Headers, footers and other views of a section that are not items.
CREATE TABLE supplementary (
  section INTEGER NOT NULL REFERENCES section (id) ON DELETE CASCADE,
  kind TEXT NOT NULL, -- 'header', 'footer'
  view TEXT NOT NULL CHECK (length(CAST(view AS BLOB)) BETWEEN 1 AND 256),
  content TEXT NOT NULL, -- JSON
  PRIMARY KEY (section, kind)
) STRICT, WITHOUT ROWID;

-- Items stand in the order of their positions within their section.
CREATE TABLE item (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL REFERENCES list (id),
  section INTEGER NOT NULL REFERENCES section (id),
  position INTEGER NOT NULL,
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
  cell INTEGER NOT NULL REFERENCES cell (id),
  type TEXT,
  action TEXT, -- JSON: url, event, attrs
  contentRevision INTEGER NOT NULL CHECK (contentRevision >= 0),
  content TEXT NOT NULL, -- JSON
  UNIQUE (list, name),
  UNIQUE (section, position)
) STRICT;

-- What a measured size depends on besides the item: one row a real environment.
CREATE TABLE layoutEnvironment (
  id INTEGER PRIMARY KEY,
  contentSizeCategory TEXT NOT NULL,
  legibilityWeight TEXT NOT NULL,
  layoutDirection TEXT NOT NULL,
  locale TEXT NOT NULL,
  displayScale REAL NOT NULL CHECK (displayScale > 0),
  system TEXT NOT NULL, -- the system's name and major version: its fonts change with it
  UNIQUE (contentSizeCategory, legibilityWeight, layoutDirection, locale, displayScale, system)
) STRICT;

-- Measured sizes, a cache. Key: what flips back and forth. Values compared on read: what only goes
-- forward, so that an edit overwrites instead of piling up rows.
CREATE TABLE measuredSize (
  item INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  axis TEXT NOT NULL CHECK (axis IN ('horizontal', 'vertical')), -- the direction of scrolling
  fittingPixels INTEGER NOT NULL CHECK (fittingPixels > 0), -- across it, in device pixels
  variant TEXT NOT NULL, -- a state that changes the size: '', 'expanded'
  environment INTEGER NOT NULL REFERENCES layoutEnvironment (id),
  width REAL NOT NULL CHECK (width BETWEEN 0 AND 1e6), -- points
  height REAL NOT NULL CHECK (height BETWEEN 0 AND 1e6), -- points
  cell INTEGER NOT NULL REFERENCES cell (id),
  contentRevision INTEGER NOT NULL,
  measurerVersion INTEGER NOT NULL,
  PRIMARY KEY (item, axis, fittingPixels, variant, environment)
) STRICT, WITHOUT ROWID;

CREATE INDEX index_measuredSize_on_environment ON measuredSize (environment);

CREATE TABLE author (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 64)
) STRICT;

-- One row a transaction of a list.
CREATE TABLE listCommit (
  list INTEGER NOT NULL REFERENCES list (id),
  revision INTEGER NOT NULL CHECK (revision > 0), -- the list's, after this commit
  author INTEGER NOT NULL REFERENCES author (id),
  time INTEGER, -- milliseconds since 1970, informative
  feedSequence INTEGER, -- set where a feed line made this commit; 0 for a reset
  feedDigest BLOB, -- SHA-256 of that line
  PRIMARY KEY (list, revision)
) STRICT, WITHOUT ROWID;

-- What each commit did, in order. A path counts at that moment: "from" before the change, "to"
-- after it. Ids are texts, because what they name may be gone.
CREATE TABLE change (
  list INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  operation TEXT NOT NULL CHECK (operation IN (
    'insertSection', 'deleteSection', 'moveSection', 'updateSection',
    'insertItem', 'deleteItem', 'moveItem', 'updateItem', 'touchItem')),
  section TEXT,
  item TEXT,
  fromSection INTEGER,
  fromItem INTEGER,
  toSection INTEGER,
  toItem INTEGER,
  before TEXT, -- JSON: the state that the change replaced or deleted
  after TEXT, -- JSON: the state that it set
  PRIMARY KEY (list, revision, ordinal),
  FOREIGN KEY (list, revision) REFERENCES listCommit (list, revision)
) STRICT, WITHOUT ROWID;

"""####),
    Migration(
      version: 2, name: "v0002_blocks",
      checksum: "1:405c904e1c967a7c4246691767e2ecbb9e3516b3e76bb35d0a13145506dfaf94",
      sql: ####"""
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

"""####),
    Migration(
      version: 3, name: "v0003_sectionparts",
      checksum: "1:ba96a29ee722135bbfaf559849f4f6c3bb592399b1e12ba4f6b19453fbd3be26",
      sql: ####"""
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

"""####),
    Migration(
      version: 4, name: "v0004_views",
      checksum: "1:597c28ec6fb155123e941fd585565611834d47d5e4efbf75ce56f78829ad4103",
      sql: ####"""
-- What a screen shows of a list, and lists that belong to an item of another one. Neither is part of a
-- list's state: no log tells of them, no digest covers them.
--! one-way version 3 has no place for view states and for lists that belong to items

-- What one screen shows of a list: how many items can be selected, and where it was scrolled to.
CREATE TABLE viewState (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  view TEXT NOT NULL CHECK (length(CAST(view AS BLOB)) <= 256), -- the screen; '' for a list's only one
  selectionMode TEXT NOT NULL CHECK (selectionMode IN ('none', 'single', 'multiple')),
  anchorItem TEXT, -- the item at the top of what was to be seen
  anchorOffset REAL CHECK (anchorOffset BETWEEN -1e6 AND 1e6), -- of its leading edge, in points
  PRIMARY KEY (list, view),
  CHECK ((anchorItem IS NULL) = (anchorOffset IS NULL))
) STRICT, WITHOUT ROWID;

-- By name, so that an item which is deleted and comes back is selected again.
CREATE TABLE selectedItem (
  list INTEGER NOT NULL,
  view TEXT NOT NULL,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0), -- in the order in which they were selected
  item TEXT NOT NULL CHECK (length(CAST(item AS BLOB)) BETWEEN 1 AND 256),
  PRIMARY KEY (list, view, ordinal),
  FOREIGN KEY (list, view) REFERENCES viewState (list, view) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Whose list a nested one is. The item is there or can be brought back by undoing.
CREATE TABLE listOwner (
  list INTEGER PRIMARY KEY REFERENCES list (id) ON DELETE CASCADE,
  ownerList INTEGER NOT NULL REFERENCES list (id),
  ownerItem TEXT NOT NULL CHECK (length(CAST(ownerItem AS BLOB)) BETWEEN 1 AND 256),
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256), -- among the item's lists
  goneAt INTEGER, -- the owner list's revision that deleted the item last; it may be there again
  UNIQUE (ownerList, ownerItem, name)
) STRICT;

"""####),
    Migration(
      version: 5, name: "v0005_feeds",
      checksum: "1:2f48b6a086599c7c3f33243fd63d4b27c97566bf80f29f96920f876595b2f878",
      sql: ####"""
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

"""####),
    Migration(
      version: 6, name: "v0006_meta_and_decorations",
      checksum: "1:d5e792cab5098456f5d85d5b7c47281d6bf0238f96954ef6d701604a5bb14ca6",
      sql: ####"""
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

"""####),
    Migration(
      version: 7, name: "v0007_packed_log",
      checksum: "1:2a9064411faedcf67f6b4f63a358331ce69e3f922f3cba3d89d624580de1886f",
      sql: ####"""
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

"""####),
    Migration(
      version: 8, name: "v0008_ledger",
      checksum: "1:cdcdabf3dced2e48e60cf5bdcb29f00d42820359a43bbd8b77aa2305a56cc436",
      sql: ####"""
-- More about each migration that was applied: how long it took, who applied it, the schema that it
-- left, and which versions can still read the store. NULL: it was applied before this version.
--! minimum-reader 7

ALTER TABLE schemaMigration ADD COLUMN duration INTEGER CHECK (duration >= 0); -- milliseconds
ALTER TABLE schemaMigration ADD COLUMN libraryVersion TEXT;
ALTER TABLE schemaMigration ADD COLUMN fingerprint TEXT; -- of the whole schema, by KnownSchema
ALTER TABLE schemaMigration ADD COLUMN minimumReader INTEGER; -- the oldest version that can read

--! down
ALTER TABLE schemaMigration DROP COLUMN minimumReader;
ALTER TABLE schemaMigration DROP COLUMN fingerprint;
ALTER TABLE schemaMigration DROP COLUMN libraryVersion;
ALTER TABLE schemaMigration DROP COLUMN duration;

"""####),
    Migration(
      version: 9, name: "v0009_pending_edits",
      checksum: "1:d6ee9f6330c898bbe2ad6e8bd8bdd4e6574aecb46dd2c52c732401d51aaf8830",
      sql: ####"""
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

"""####),
  ]
}
