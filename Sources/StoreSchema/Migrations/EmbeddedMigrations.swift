// Written by tools/embed from migrations/*.sql: edit those.
// swift-format-ignore-file

extension Migration {
  /// Every migration of this library, in the order of their versions.
  package static let all: [Migration] = [
    Migration(
      version: 1, name: "v0001_lists",
      checksum: "1:5a3b4f728df3932b98173d15ed4e44af8efae244aa7ea14b49963d37af55c2ad",
      sql: ####"""
-- The schema of a store: lists with their sections and items, the log of their commits, measured
-- sizes, and what a screen shows of a list. By subject: the store, lists, sections, items and their
-- order, the log, feeds and edits, sizes, screens, views and triggers.
--
-- Tables are STRICT, so that a column holds what its type says. Names are 1 to 256 bytes of UTF-8.
-- Times are in milliseconds since 1970, lengths in points. Hashes are 64 bits, stored as a signed
-- integer. NULL means that there is none.
--! one-way there is no version before it

-- The store ------------------------------------------------------------------------------------

-- Which migrations made this schema.
CREATE TABLE schemaMigration (
  version INTEGER PRIMARY KEY CHECK (version > 0),
  name TEXT NOT NULL, -- v0001_lists
  checksum TEXT NOT NULL, -- 1:, the version of the rule; then SHA-256 of the SQL without comments
  appliedAt INTEGER NOT NULL,
  duration INTEGER NOT NULL CHECK (duration >= 0), -- milliseconds
  libraryVersion TEXT NOT NULL, -- of who applied it
  fingerprint TEXT NOT NULL, -- hash of the whole schema after it
  minimumReader INTEGER NOT NULL -- the oldest version whose library can still read the store
) STRICT;

-- One row: which store this is.
CREATE TABLE store (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  storeID BLOB NOT NULL CHECK (length(storeID) = 16),
  createdAt INTEGER NOT NULL,
  -- The greatest id so far of an item, a content or a supplementary. The id of a deleted one does
  -- not come back, because a size that was measured for it may still be on its way.
  lastItem INTEGER NOT NULL DEFAULT 0 CHECK (lastItem >= 0),
  -- Whether another program has written to a list: set by the triggers at the end.
  isBypassed INTEGER NOT NULL DEFAULT 0 CHECK (isBypassed IN (0, 1)),
  importedEdits TEXT -- JSON: files of the inbox, imported and not deleted yet
) STRICT;

INSERT INTO store (id, storeID, createdAt) VALUES (
  1, randomblob(16), CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER));

-- Lists ----------------------------------------------------------------------------------------

CREATE TABLE list (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
  revision INTEGER NOT NULL CHECK (revision >= 0), -- commits so far, whoever wrote them
  digest INTEGER NOT NULL, -- hash of the list's state
  chain INTEGER NOT NULL, -- hash of all commits so far
  root INTEGER NOT NULL, -- the block over its sections
  sectionCount INTEGER NOT NULL DEFAULT 0 CHECK (sectionCount >= 0),
  meta TEXT, -- JSON: the app's own data about the list
  logFloor INTEGER NOT NULL DEFAULT 0 CHECK (logFloor >= 0), -- the log has the commits after it
  floorChain INTEGER NOT NULL DEFAULT 0, -- the chain at that revision
  changeTotal INTEGER NOT NULL DEFAULT 0 CHECK (changeTotal >= 0), -- changes of all commits so far
  byteTotal INTEGER NOT NULL DEFAULT 0 CHECK (byteTotal >= 0), -- and the bytes of their rows
  feedSequence INTEGER NOT NULL DEFAULT 0 CHECK (feedSequence >= 0), -- last applied feed line
  -- The line at which the last run of a feed ended, if that is before the last applied one.
  feedReadEpoch INTEGER,
  feedReadSequence INTEGER
) STRICT;

-- Whose list a nested one is. The item is there, or can be brought back by undoing.
CREATE TABLE listOwner (
  list INTEGER PRIMARY KEY REFERENCES list (id) ON DELETE CASCADE,
  ownerList INTEGER NOT NULL REFERENCES list (id),
  ownerItem TEXT NOT NULL CHECK (length(CAST(ownerItem AS BLOB)) BETWEEN 1 AND 256),
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256), -- among the item's lists
  goneAt INTEGER, -- the owner list's revision that deleted the item last; it may be there again
  UNIQUE (ownerList, ownerItem, name)
) STRICT;

-- Sections -------------------------------------------------------------------------------------

CREATE TABLE section (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL REFERENCES list (id),
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
  block INTEGER NOT NULL, -- that has its place
  root INTEGER NOT NULL, -- the block over its items
  itemCount INTEGER NOT NULL DEFAULT 0 CHECK (itemCount >= 0),
  layoutKind TEXT CHECK (layoutKind IN ('flow', 'waterfall', 'list')),
  columns INTEGER CHECK (columns BETWEEN 1 AND 1000),
  lineSpacing REAL CHECK (lineSpacing BETWEEN -1e6 AND 1e6),
  interitemSpacing REAL CHECK (interitemSpacing BETWEEN -1e6 AND 1e6),
  insetTop REAL CHECK (insetTop BETWEEN -1e6 AND 1e6),
  insetLeft REAL CHECK (insetLeft BETWEEN -1e6 AND 1e6),
  insetBottom REAL CHECK (insetBottom BETWEEN -1e6 AND 1e6),
  insetRight REAL CHECK (insetRight BETWEEN -1e6 AND 1e6),
  visibility TEXT NOT NULL DEFAULT 'shown'
    CHECK (visibility IN ('shown', 'hidden', 'hiddenWhenEmpty')),
  meta TEXT, -- JSON: the app's own data about the section
  UNIQUE (list, name)
) STRICT;

-- Few sections are not shown: whoever opens a list asks for these.
CREATE INDEX index_section_on_visibility ON section (list) WHERE visibility <> 'shown';

-- Headers, footers and other views of a section that are not items.
CREATE TABLE supplementary (
  section INTEGER NOT NULL REFERENCES section (id) ON DELETE CASCADE,
  kind TEXT NOT NULL, -- 'header', 'footer'
  id INTEGER NOT NULL, -- given out by store.lastItem, as those of items: no item has the same
  view TEXT NOT NULL CHECK (length(CAST(view AS BLOB)) BETWEEN 1 AND 256),
  content TEXT NOT NULL, -- JSON
  PRIMARY KEY (section, kind)
) STRICT, WITHOUT ROWID;

-- Views behind or before a part of a section, in order.
CREATE TABLE decoration (
  section INTEGER NOT NULL REFERENCES section (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0), -- from 0, without gaps
  view TEXT NOT NULL CHECK (length(CAST(view AS BLOB)) BETWEEN 1 AND 256),
  element TEXT NOT NULL CHECK (element IN ('section', 'header', 'items', 'footer')), -- the part
  item TEXT CHECK ( -- the one that it belongs to; NULL: the whole part
    item IS NULL OR length(CAST(item AS BLOB)) BETWEEN 1 AND 256 AND element = 'items'),
  zIndex INTEGER NOT NULL, -- items are at 0
  insetTop REAL CHECK (insetTop BETWEEN -1e6 AND 1e6),
  insetLeft REAL CHECK (insetLeft BETWEEN -1e6 AND 1e6),
  insetBottom REAL CHECK (insetBottom BETWEEN -1e6 AND 1e6),
  insetRight REAL CHECK (insetRight BETWEEN -1e6 AND 1e6),
  content TEXT, -- JSON
  PRIMARY KEY (section, ordinal)
) STRICT, WITHOUT ROWID;

-- Items and their order ------------------------------------------------------------------------

-- The order of a list's sections, and of each section's items: a tree with counts. Members of
-- level 0 are [id, name] of sections, or of items
-- [id, name, cell, content revision if it is not 0, content if it has another id than the item].
-- Above level 0 they are [block, members below it]. All in order.
CREATE TABLE block (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL,
  section INTEGER, -- whose items it orders; NULL where it orders the list's sections
  parent INTEGER, -- NULL at the root
  level INTEGER NOT NULL CHECK (level BETWEEN 0 AND 20),
  memberCount INTEGER NOT NULL CHECK (memberCount >= 0), -- sections or items in it and below
  members TEXT NOT NULL -- JSON
) STRICT;

-- Where an item is, by its name. The rest of it is in its block's members.
CREATE TABLE item (
  list INTEGER NOT NULL,
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
  id INTEGER NOT NULL, -- given out by store.lastItem, as those of contents
  block INTEGER NOT NULL, -- that has its place
  PRIMARY KEY (list, name)
) STRICT, WITHOUT ROWID;

-- What items hold and held. A row never changes, until it is erased: an update of an item makes
-- another one. It is deleted when neither an item nor an entry of the log names it.
CREATE TABLE content (
  id INTEGER PRIMARY KEY, -- that of the item whose first content it is, or one of its own
  type TEXT,
  action TEXT, -- JSON: url, event, attrs
  content TEXT NOT NULL -- JSON
) STRICT;

-- Names of cells, stored once.
CREATE TABLE cell (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256)
) STRICT;

-- The log --------------------------------------------------------------------------------------

-- Who wrote commits: the app, a server, a process of the app.
CREATE TABLE author (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 64)
) STRICT;

-- One row a transaction of a list.
CREATE TABLE listCommit (
  list INTEGER NOT NULL REFERENCES list (id),
  revision INTEGER NOT NULL CHECK (revision > 0), -- the list's, after this commit
  author INTEGER NOT NULL REFERENCES author (id),
  time INTEGER, -- informative
  feedSequence INTEGER, -- of the feed line that made this commit; 0 for a reset
  feedDigest BLOB, -- SHA-256 of that line
  digest INTEGER NOT NULL, -- of the list after the commit
  chain INTEGER NOT NULL, -- of this commit and all before it
  -- The list's totals after the commit, so that the room which commits take is a difference.
  changeTotal INTEGER NOT NULL,
  byteTotal INTEGER NOT NULL,
  firstChange INTEGER, -- its first row in change
  undoes INTEGER, -- the revision of the commit that it takes back
  -- Of an edit, the first commit of its undo step; of an undo or a redo of a whole step, the same
  -- as undoes; NULL where there is nothing for a user to undo, as in a commit of a feed.
  step INTEGER,
  PRIMARY KEY (list, revision)
) STRICT, WITHOUT ROWID;

-- Consecutive changes of a commit in each row, as many as fill a page. The rows of a commit have
-- consecutive ids.
CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL,
  revision INTEGER NOT NULL, -- of a row in listCommit
  entries TEXT NOT NULL, -- JSON: an array for each change
  neighbours BLOB NOT NULL -- hashes of what was around the places that changed
) STRICT;

-- Feeds and edits ------------------------------------------------------------------------------

-- The lines of a feed that a list has taken, so that a feed which is read again is recognised, also
-- when the log of the commits is truncated. A reset begins an epoch of lines and is its line 0. Of
-- old lines only the first and last ones of an epoch are kept. Line 0 of epoch 0 is no line: its
-- digest is how the SHA-256 of the feed's name begins, to which the list belongs.
CREATE TABLE feedLine (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  epoch INTEGER NOT NULL CHECK (epoch >= 0), -- resets so far, a reset itself included
  sequence INTEGER NOT NULL CHECK (sequence >= 0), -- the line's "seq"; 0 for a reset
  digest BLOB NOT NULL CHECK (length(digest) <= 16), -- how the line's SHA-256 begins
  isSnapshot INTEGER NOT NULL CHECK (isSnapshot IN (0, 1)), -- it may stand for the lines before it
  revision INTEGER NOT NULL, -- of the commit that it became
  endsRun INTEGER NOT NULL DEFAULT 0 CHECK (endsRun IN (0, 1)), -- it was the last one of a file
  PRIMARY KEY (list, epoch, sequence)
) STRICT, WITHOUT ROWID;

-- Edits that a server has not answered. While one waits, the ordinary edits of its list are here
-- too: a line of the feed is applied to the list without any of them, and they are made again
-- after it.
CREATE TABLE pendingEdit (
  id INTEGER PRIMARY KEY, -- ascends in the order in which they were made
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256), -- the server's id
  author INTEGER NOT NULL REFERENCES author (id),
  time INTEGER,
  state TEXT NOT NULL
    CHECK (state IN ('local', 'waiting', 'accepted', 'conflicted', 'rejected')),
  changes TEXT NOT NULL, -- JSON: operations of a feed, as the edit made them
  undo TEXT, -- JSON: operations that take it out of the list; NULL: the list does not show it
  why TEXT, -- of a conflict or a rejection
  found TEXT -- JSON: what the list has instead, of a conflict
) STRICT;

CREATE INDEX index_pendingEdit_on_list ON pendingEdit (list);

-- Sizes ----------------------------------------------------------------------------------------

-- What a measured size depends on besides what is measured: one row a real environment.
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

-- What a measured size holds for: what flips back and forth. One row a real combination.
CREATE TABLE sizeKey (
  id INTEGER PRIMARY KEY,
  axis TEXT NOT NULL CHECK (axis IN ('horizontal', 'vertical')), -- the direction of scrolling
  fittingPixels INTEGER NOT NULL CHECK (fittingPixels > 0), -- across it, in device pixels
  variant TEXT NOT NULL, -- a state that changes the size: '', 'expanded'
  environment INTEGER NOT NULL REFERENCES layoutEnvironment (id),
  usedAt INTEGER NOT NULL DEFAULT 0, -- the key used longest ago goes first; -1: it is being deleted
  UNIQUE (axis, fittingPixels, variant, environment)
) STRICT;

CREATE INDEX index_sizeKey_on_environment ON sizeKey (environment);

-- Measured sizes of items and supplementaries, a cache: deleted with their owners. Beside the key
-- they have what only goes forward or tells one layout from another: compared on read, so that an
-- edit overwrites instead of piling up rows.
CREATE TABLE measuredSize (
  owner INTEGER NOT NULL, -- an item or a supplementary
  sizeKey INTEGER NOT NULL,
  width REAL NOT NULL CHECK (width BETWEEN 0 AND 1e6),
  height REAL NOT NULL CHECK (height BETWEEN 0 AND 1e6),
  cell INTEGER NOT NULL, -- of an item; 0 for a supplementary
  content INTEGER NOT NULL, -- an item's content revision; hash of a supplementary's view and content
  layout INTEGER NOT NULL, -- hash of the section's layout; 0: none
  measurerVersion INTEGER NOT NULL,
  PRIMARY KEY (owner, sizeKey)
) STRICT, WITHOUT ROWID;

-- The sums of the sizes in each block: how long the list is, and what is at an offset.
CREATE TABLE blockExtent (
  sizeKey INTEGER NOT NULL,
  block INTEGER NOT NULL,
  measured INTEGER NOT NULL CHECK (measured > 0), -- items with a size
  length INTEGER NOT NULL CHECK (length >= 0), -- along the direction of scrolling, in 1/1024 points
  PRIMARY KEY (sizeKey, block)
) STRICT, WITHOUT ROWID;

-- Screens --------------------------------------------------------------------------------------

-- What one screen shows of a list: how many items can be selected, and where it was scrolled to. It
-- is no part of the list's state: no log tells of it, no digest covers it.
CREATE TABLE viewState (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  view TEXT NOT NULL CHECK (length(CAST(view AS BLOB)) <= 256), -- '': a list's only screen
  selectionMode TEXT NOT NULL CHECK (selectionMode IN ('none', 'single', 'multiple')),
  anchorItem TEXT, -- the item at the top of what was to be seen
  anchorOffset REAL CHECK (anchorOffset BETWEEN -1e6 AND 1e6), -- of its leading edge
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

-- Views ----------------------------------------------------------------------------------------

-- The members of blocks of items, in columns. Their order is that of the blocks above them.
CREATE VIEW itemMember AS
  SELECT list, section, block.id AS block, key AS place, json_extract(value, '$[0]') AS item,
    json_extract(value, '$[1]') AS name, json_extract(value, '$[2]') AS cell,
    coalesce(json_extract(value, '$[3]'), 0) AS contentRevision,
    coalesce(json_extract(value, '$[4]'), json_extract(value, '$[0]')) AS content
  FROM block JOIN json_each(members) WHERE level = 0 AND section IS NOT NULL;

-- Triggers -------------------------------------------------------------------------------------

-- Cellar's own connections run no triggers. So these tell of every other writer, whose changes are
-- in no log.
CREATE TRIGGER list_update AFTER UPDATE OF meta ON list
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER section_insert AFTER INSERT ON section
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER section_update AFTER UPDATE ON section
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER section_delete AFTER DELETE ON section
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER supplementary_insert AFTER INSERT ON supplementary
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER supplementary_update AFTER UPDATE ON supplementary
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER supplementary_delete AFTER DELETE ON supplementary
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER decoration_insert AFTER INSERT ON decoration
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER decoration_update AFTER UPDATE ON decoration
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER decoration_delete AFTER DELETE ON decoration
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER block_insert AFTER INSERT ON block
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER block_update AFTER UPDATE ON block
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER block_delete AFTER DELETE ON block
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER item_insert AFTER INSERT ON item
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER item_update AFTER UPDATE ON item
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER item_delete AFTER DELETE ON item
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER content_insert AFTER INSERT ON content
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER content_update AFTER UPDATE ON content
  BEGIN UPDATE store SET isBypassed = 1; END;
CREATE TRIGGER content_delete AFTER DELETE ON content
  BEGIN UPDATE store SET isBypassed = 1; END;

"""####),
    Migration(
      version: 2, name: "v0002_derived_lists",
      checksum: "1:2440fd4bf926364322f6a7af6e90f9324f153ba041f8816c6123641cbf9ada5a",
      sql: ####"""
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

"""####),
    Migration(
      version: 3, name: "v0003_gaps",
      checksum: "1:6c50170afa33657f936801f3b92d9819bc5a818168eb0451feaf5b10903e7a69",
      sql: ####"""
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

"""####),
    Migration(
      version: 4, name: "v0004_borrowed_items",
      checksum: "1:ca7796de7bb52e0c269b8542467014489a5b5a122c665e0e736bc52acde22f95",
      sql: ####"""
-- The items of derived lists are found by the rows of the lists that own them, not by their ids once more: an
-- id can take 256 bytes, for each derived list that has the item.
--! fewer-rows item
--! fewer-rows borrowedItem

CREATE TABLE borrowedItem (
  list INTEGER NOT NULL, -- a derived one
  item INTEGER NOT NULL, -- item.id, of the list that owns the item
  block INTEGER NOT NULL, -- that has its place in the derived list
  PRIMARY KEY (list, item)
) STRICT, WITHOUT ROWID;

INSERT INTO borrowedItem (list, item, block)
  SELECT list, id, block FROM item WHERE list IN (SELECT list FROM derivedList);

DELETE FROM item WHERE list IN (SELECT list FROM derivedList);

CREATE TRIGGER borrowedItem_insert AFTER INSERT ON borrowedItem
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER borrowedItem_update AFTER UPDATE ON borrowedItem
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER borrowedItem_delete AFTER DELETE ON borrowedItem
  BEGIN UPDATE store SET isBypassed = 1; END;

--! down
DROP TABLE borrowedItem;

INSERT INTO item (list, name, id, block)
  SELECT list, json_extract(value, '$[1]'), json_extract(value, '$[0]'), block.id
  FROM block JOIN json_each(members)
  WHERE level = 0 AND section IS NOT NULL AND list IN (SELECT list FROM derivedList);

"""####),
    Migration(
      version: 5, name: "v0005_search_slices",
      checksum: "1:2daa883cb6048a8215f645fc35bdf607c2f7369056f022881a694bcfce431dc0",
      sql: ####"""
-- Full-text indexes of long lists are made in slices.

-- The last item, by its row, that an index has while it is made; NULL: it has all.
ALTER TABLE searchIndex ADD COLUMN filledUpTo INTEGER CHECK (filledUpTo >= 0);

--! down
-- Without the column, one that lacks items would be taken for a whole one. Who needs it makes it again.
INSERT INTO searchText (searchText)
  SELECT 'delete-all' WHERE EXISTS (SELECT 1 FROM searchIndex WHERE filledUpTo IS NOT NULL);

DELETE FROM searchIndex WHERE EXISTS (SELECT 1 FROM searchIndex WHERE filledUpTo IS NOT NULL);

ALTER TABLE searchIndex DROP COLUMN filledUpTo;

"""####),
    Migration(
      version: 6, name: "v0006_pages_ahead",
      checksum: "1:3d1abd1586568d965f57fa5d5c142fa36223fbd2829f49a036a47b75a0d9e0e0",
      sql: ####"""
-- Pages of a server that know more than its feed has told.

-- They are in their list, and taken out of it and put in again for each line of the feed until it has told what
-- they know: a line names a place beside a neighbour that such a page may have elsewhere.
CREATE TABLE pageAhead (
  id INTEGER PRIMARY KEY, -- in the order in which they came
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  page TEXT NOT NULL, -- JSON: the page, and what it was asked for
  sequence INTEGER NOT NULL CHECK (sequence > 0), -- the last line that it knows
  undo TEXT NOT NULL -- JSON: the changes that take it out of the list
) STRICT;

CREATE INDEX pageAheadOfList ON pageAhead (list);

--! down
DROP TABLE pageAhead;

"""####),
  ]
}
