-- What a store holds after all migrations: every statement of `sqlite_schema`, each table before
-- its indexes, tables in the order of their names. To read and to compare, never run.
-- Written by: CELLAR_WRITE_SCHEMA=1 swift test --filter MigrationFileTests

CREATE TABLE author (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 64)
) STRICT;

CREATE TRIGGER block_delete AFTER DELETE ON block
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER block_insert AFTER INSERT ON block
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER block_update AFTER UPDATE ON block
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TABLE block (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL,
  section INTEGER, -- whose items it orders; NULL where it orders the list's sections
  parent INTEGER, -- NULL at the root
  level INTEGER NOT NULL CHECK (level BETWEEN 0 AND 20),
  memberCount INTEGER NOT NULL CHECK (memberCount >= 0), -- sections or items in it and below
  members TEXT NOT NULL -- JSON
) STRICT;

CREATE TABLE blockExtent (
  sizeKey INTEGER NOT NULL,
  block INTEGER NOT NULL,
  measured INTEGER NOT NULL CHECK (measured > 0), -- items with a size
  length INTEGER NOT NULL CHECK (length >= 0), -- along the direction of scrolling, in 1/1024 points
  PRIMARY KEY (sizeKey, block)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER borrowedItem_delete AFTER DELETE ON borrowedItem
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER borrowedItem_insert AFTER INSERT ON borrowedItem
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER borrowedItem_update AFTER UPDATE ON borrowedItem
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TABLE borrowedItem (
  list INTEGER NOT NULL, -- a derived one
  item INTEGER NOT NULL, -- item.id, of the list that owns the item
  block INTEGER NOT NULL, -- that has its place in the derived list
  PRIMARY KEY (list, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE cell (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256)
) STRICT;

CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL,
  revision INTEGER NOT NULL, -- of a row in listCommit
  entries TEXT NOT NULL, -- JSON: an array for each change
  neighbours BLOB NOT NULL -- hashes of what was around the places that changed
) STRICT;

CREATE TRIGGER content_delete AFTER DELETE ON content
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER content_insert AFTER INSERT ON content
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER content_update AFTER UPDATE ON content
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TABLE content (
  id INTEGER PRIMARY KEY, -- that of the item whose first content it is, or one of its own
  type TEXT,
  action TEXT, -- JSON: url, event, attrs
  content TEXT NOT NULL -- JSON
) STRICT;

CREATE TRIGGER decoration_delete AFTER DELETE ON decoration
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER decoration_insert AFTER INSERT ON decoration
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER decoration_update AFTER UPDATE ON decoration
  BEGIN UPDATE store SET isBypassed = 1; END;

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

CREATE TABLE derivedValue (
  section INTEGER NOT NULL REFERENCES section (id) ON DELETE CASCADE,
  value BLOB NOT NULL, -- its order is that of the values
  itemCount INTEGER NOT NULL CHECK (itemCount > 0),
  PRIMARY KEY (section, value)
) STRICT, WITHOUT ROWID;

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

CREATE TRIGGER item_delete AFTER DELETE ON item
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER item_insert AFTER INSERT ON item
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER item_update AFTER UPDATE ON item
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TABLE item (
  list INTEGER NOT NULL,
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
  id INTEGER NOT NULL, -- given out by store.lastItem, as those of contents
  block INTEGER NOT NULL, -- that has its place
  PRIMARY KEY (list, name)
) STRICT, WITHOUT ROWID;

CREATE VIEW itemMember AS
  SELECT list, section, block.id AS block, key AS place, json_extract(value, '$[0]') AS item,
    json_extract(value, '$[1]') AS name, json_extract(value, '$[2]') AS cell,
    coalesce(json_extract(value, '$[3]'), 0) AS contentRevision,
    coalesce(json_extract(value, '$[4]'), json_extract(value, '$[0]')) AS content
  FROM block JOIN json_each(members) WHERE level = 0 AND section IS NOT NULL;

CREATE TABLE keptContent (
  content INTEGER NOT NULL,
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  isOrphan INTEGER NOT NULL DEFAULT 0 CHECK (isOrphan IN (0, 1)), -- the source's log has lost it
  leftAt INTEGER, -- the revision of the derived list at which its item took another one
  PRIMARY KEY (content, list)
) STRICT, WITHOUT ROWID;

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

CREATE TRIGGER list_update AFTER UPDATE OF meta ON list
  BEGIN UPDATE store SET isBypassed = 1; END;

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
, gapCount INTEGER NOT NULL DEFAULT 0 CHECK (gapCount >= 0), pageSequence INTEGER NOT NULL DEFAULT 0 CHECK (pageSequence >= 0), pageRevision INTEGER NOT NULL DEFAULT 0 CHECK (pageRevision >= 0)) STRICT;

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
  step INTEGER, sourceRevision INTEGER,
  PRIMARY KEY (list, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE listOwner (
  list INTEGER PRIMARY KEY REFERENCES list (id) ON DELETE CASCADE,
  ownerList INTEGER NOT NULL REFERENCES list (id),
  ownerItem TEXT NOT NULL CHECK (length(CAST(ownerItem AS BLOB)) BETWEEN 1 AND 256),
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256), -- among the item's lists
  goneAt INTEGER, -- the owner list's revision that deleted the item last; it may be there again
  UNIQUE (ownerList, ownerItem, name)
) STRICT;

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

CREATE TABLE pageAhead (
  id INTEGER PRIMARY KEY, -- in the order in which they came
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  page TEXT NOT NULL, -- JSON: the page, and what it was asked for
  sequence INTEGER NOT NULL CHECK (sequence > 0), -- the last line that it knows
  undo TEXT NOT NULL -- JSON: the changes that take it out of the list
) STRICT;

CREATE INDEX pageAheadOfList ON pageAhead (list);

CREATE TABLE pageEnd (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  item TEXT NOT NULL CHECK (length(CAST(item AS BLOB)) BETWEEN 1 AND 256),
  before TEXT, -- the cursor of what stands before the item
  after TEXT, -- the cursor of what stands after it
  PRIMARY KEY (list, item),
  CHECK (before IS NOT NULL OR after IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE TABLE pageRequest (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  gap TEXT NOT NULL, -- the gap's item; '': the newest page
  edge TEXT NOT NULL CHECK (edge IN ('upper', 'lower', 'newest')), -- of the gap, that the page is for
  process BLOB NOT NULL CHECK (length(process) = 16), -- who asks
  until INTEGER NOT NULL, -- the time after which it has been given up, unless it says otherwise
  PRIMARY KEY (list, gap, edge)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE searchIndex (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 32767),
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE, -- that owns the items
  paths TEXT NOT NULL, -- JSON: an array of JSON Pointers, sorted
  isKept INTEGER NOT NULL DEFAULT 0 CHECK (isKept IN (0, 1)), filledUpTo INTEGER CHECK (filledUpTo >= 0), -- also without a derived list
  UNIQUE (list, paths)
) STRICT;

CREATE VIRTUAL TABLE searchText USING fts5 (
  text, content = '', columnsize = 0, prefix = '1',
  tokenize = "unicode61 remove_diacritics 2 tokenchars '␞'"
);

CREATE TABLE 'searchText_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'searchText_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'searchText_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TRIGGER section_delete AFTER DELETE ON section
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER section_insert AFTER INSERT ON section
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER section_update AFTER UPDATE ON section
  BEGIN UPDATE store SET isBypassed = 1; END;

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

CREATE INDEX index_section_on_visibility ON section (list) WHERE visibility <> 'shown';

CREATE TABLE selectedItem (
  list INTEGER NOT NULL,
  view TEXT NOT NULL,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0), -- in the order in which they were selected
  item TEXT NOT NULL CHECK (length(CAST(item AS BLOB)) BETWEEN 1 AND 256),
  PRIMARY KEY (list, view, ordinal),
  FOREIGN KEY (list, view) REFERENCES viewState (list, view) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

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

CREATE TRIGGER supplementary_delete AFTER DELETE ON supplementary
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER supplementary_insert AFTER INSERT ON supplementary
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TRIGGER supplementary_update AFTER UPDATE ON supplementary
  BEGIN UPDATE store SET isBypassed = 1; END;

CREATE TABLE supplementary (
  section INTEGER NOT NULL REFERENCES section (id) ON DELETE CASCADE,
  kind TEXT NOT NULL, -- 'header', 'footer'
  id INTEGER NOT NULL, -- given out by store.lastItem, as those of items: no item has the same
  view TEXT NOT NULL CHECK (length(CAST(view AS BLOB)) BETWEEN 1 AND 256),
  content TEXT NOT NULL, -- JSON
  PRIMARY KEY (section, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE viewState (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  view TEXT NOT NULL CHECK (length(CAST(view AS BLOB)) <= 256), -- '': a list's only screen
  selectionMode TEXT NOT NULL CHECK (selectionMode IN ('none', 'single', 'multiple')),
  anchorItem TEXT, -- the item at the top of what was to be seen
  anchorOffset REAL CHECK (anchorOffset BETWEEN -1e6 AND 1e6), -- of its leading edge
  PRIMARY KEY (list, view),
  CHECK ((anchorItem IS NULL) = (anchorOffset IS NULL))
) STRICT, WITHOUT ROWID;
