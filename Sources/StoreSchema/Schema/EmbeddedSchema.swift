// Written by tools/embed from migrations/schema.sql: a test writes that.
// swift-format-ignore-file

extension KnownSchema {
  /// The schema version that the statements make.
  package static let embeddedVersion = 9

  /// Every statement of that version's schema.
  package static let embeddedStatements: [StaticString] = [
    ####"""
CREATE TABLE author (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 64)
) STRICT
"""####,
    ####"""
CREATE TRIGGER block_delete AFTER DELETE ON block BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TRIGGER block_insert AFTER INSERT ON block BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TRIGGER block_update AFTER UPDATE ON block BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TABLE block (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL,
  section INTEGER, -- whose items it orders; NULL where it orders the list's sections
  parent INTEGER, -- NULL at the root
  level INTEGER NOT NULL CHECK (level BETWEEN 0 AND 20),
  memberCount INTEGER NOT NULL CHECK (memberCount >= 0), -- sections or items in it and below
  members TEXT NOT NULL -- JSON
) STRICT
"""####,
    ####"""
CREATE TABLE blockExtent (
  sizeKey INTEGER NOT NULL,
  block INTEGER NOT NULL,
  measured INTEGER NOT NULL CHECK (measured > 0), -- items with a size
  length INTEGER NOT NULL CHECK (length >= 0), -- along the direction of scrolling, in 1/1024 points
  PRIMARY KEY (sizeKey, block)
) STRICT, WITHOUT ROWID
"""####,
    ####"""
CREATE TABLE cell (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256)
) STRICT
"""####,
    ####"""
CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL,
  revision INTEGER NOT NULL, -- of a row in listCommit
  entries TEXT NOT NULL, -- JSON: an array for each change; tools/looking.sql shows them
  seams BLOB -- the neighbours of the places that changed; NULL: a version 1 log, not yet sealed
) STRICT
"""####,
    ####"""
CREATE TRIGGER content_delete AFTER DELETE ON content BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TRIGGER content_insert AFTER INSERT ON content BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TRIGGER content_update AFTER UPDATE ON content BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TABLE "content" (
  id INTEGER PRIMARY KEY, -- the item's
  type TEXT,
  action TEXT, -- JSON: url, event, attrs
  content TEXT NOT NULL -- JSON
) STRICT
"""####,
    ####"""
CREATE TRIGGER decoration_delete AFTER DELETE ON decoration BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TRIGGER decoration_insert AFTER INSERT ON decoration BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TRIGGER decoration_update AFTER UPDATE ON decoration BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
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
  content TEXT, item TEXT CHECK (
  item IS NULL OR length(CAST(item AS BLOB)) BETWEEN 1 AND 256 AND element = 'items'), -- JSON; NULL: none
  PRIMARY KEY (section, ordinal)
) STRICT, WITHOUT ROWID
"""####,
    ####"""
CREATE TABLE feedLine (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  stretch INTEGER NOT NULL CHECK (stretch >= 0), -- resets before the line, a reset itself included
  sequence INTEGER NOT NULL CHECK (sequence >= 0), -- the line's "seq"; 0 for a reset
  digest BLOB CHECK (length(digest) <= 16), -- how the line's SHA-256 begins; NULL: not known
  isSnapshot INTEGER NOT NULL CHECK (isSnapshot IN (0, 1)), -- it may stand for the lines before it
  revision INTEGER, -- of the commit that it became; NULL: not known
  endsRun INTEGER NOT NULL DEFAULT 0 CHECK (endsRun IN (0, 1)), -- it was the last one of a file
  PRIMARY KEY (list, stretch, sequence)
) STRICT, WITHOUT ROWID
"""####,
    ####"""
CREATE TRIGGER item_delete AFTER DELETE ON item BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TRIGGER item_insert AFTER INSERT ON item BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TRIGGER item_update AFTER UPDATE ON item BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TABLE item (
  list INTEGER NOT NULL,
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
  id INTEGER NOT NULL, -- ids of items and of contents are given out by store.lastItem
  block INTEGER NOT NULL, -- that has its place
  PRIMARY KEY (list, name)
) STRICT, WITHOUT ROWID
"""####,
    ####"""
CREATE TABLE layoutEnvironment (
  id INTEGER PRIMARY KEY,
  contentSizeCategory TEXT NOT NULL,
  legibilityWeight TEXT NOT NULL,
  layoutDirection TEXT NOT NULL,
  locale TEXT NOT NULL,
  displayScale REAL NOT NULL CHECK (displayScale > 0),
  system TEXT NOT NULL, -- the system's name and major version: its fonts change with it
  UNIQUE (contentSizeCategory, legibilityWeight, layoutDirection, locale, displayScale, system)
) STRICT
"""####,
    ####"""
CREATE TRIGGER list_update AFTER UPDATE OF meta ON list BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TABLE list (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
  revision INTEGER NOT NULL CHECK (revision >= 0), -- commits so far, whoever wrote them
  feedSequence INTEGER NOT NULL DEFAULT 0 CHECK (feedSequence >= 0), -- last applied feed line
  sectionCount INTEGER NOT NULL DEFAULT 0 CHECK (sectionCount >= 0)
, root INTEGER, digest INTEGER, chain INTEGER, logFloor INTEGER NOT NULL DEFAULT 0 CHECK (logFloor >= 0), floorChain INTEGER NOT NULL DEFAULT 0, changeTotal INTEGER NOT NULL DEFAULT 0 CHECK (changeTotal >= 0), byteTotal INTEGER NOT NULL DEFAULT 0 CHECK (byteTotal >= 0), feedReadStretch INTEGER, feedReadSequence INTEGER, meta TEXT, hashedAsJSON INTEGER NOT NULL DEFAULT 0 CHECK (hashedAsJSON >= 0)) STRICT
"""####,
    ####"""
CREATE TABLE listCommit (
  list INTEGER NOT NULL REFERENCES list (id),
  revision INTEGER NOT NULL CHECK (revision > 0), -- the list's, after this commit
  author INTEGER NOT NULL REFERENCES author (id),
  time INTEGER, -- milliseconds since 1970, informative
  feedSequence INTEGER, -- set where a feed line made this commit; 0 for a reset
  feedDigest BLOB, digest INTEGER, chain INTEGER, changeTotal INTEGER NOT NULL DEFAULT 0, byteTotal INTEGER NOT NULL DEFAULT 0, firstChange INTEGER, undoes INTEGER, step INTEGER, -- SHA-256 of that line
  PRIMARY KEY (list, revision)
) STRICT, WITHOUT ROWID
"""####,
    ####"""
CREATE TABLE listOwner (
  list INTEGER PRIMARY KEY REFERENCES list (id) ON DELETE CASCADE,
  ownerList INTEGER NOT NULL REFERENCES list (id),
  ownerItem TEXT NOT NULL CHECK (length(CAST(ownerItem AS BLOB)) BETWEEN 1 AND 256),
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256), -- among the item's lists
  goneAt INTEGER, -- the owner list's revision that deleted the item last; it may be there again
  UNIQUE (ownerList, ownerItem, name)
) STRICT
"""####,
    ####"""
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
) STRICT, WITHOUT ROWID
"""####,
    ####"""
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
) STRICT
"""####,
    ####"""
CREATE INDEX index_pendingEdit_on_list ON pendingEdit (list)
"""####,
    ####"""
CREATE TABLE schemaMigration (
  version INTEGER PRIMARY KEY CHECK (version > 0),
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  appliedAt INTEGER NOT NULL -- milliseconds since 1970
, duration INTEGER CHECK (duration >= 0), libraryVersion TEXT, fingerprint TEXT, minimumReader INTEGER) STRICT
"""####,
    ####"""
CREATE TRIGGER section_delete AFTER DELETE ON section BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TRIGGER section_insert AFTER INSERT ON section BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TRIGGER section_update AFTER UPDATE ON section BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
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
  meta TEXT, visibility TEXT NOT NULL DEFAULT 'shown'
  CHECK (visibility IN ('shown', 'hidden', 'hiddenWhenEmpty')), -- JSON
  UNIQUE (list, name)
) STRICT
"""####,
    ####"""
CREATE INDEX index_section_on_visibility ON section (list) WHERE visibility <> 'shown'
"""####,
    ####"""
CREATE TABLE selectedItem (
  list INTEGER NOT NULL,
  view TEXT NOT NULL,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0), -- in the order in which they were selected
  item TEXT NOT NULL CHECK (length(CAST(item AS BLOB)) BETWEEN 1 AND 256),
  PRIMARY KEY (list, view, ordinal),
  FOREIGN KEY (list, view) REFERENCES viewState (list, view) ON DELETE CASCADE
) STRICT, WITHOUT ROWID
"""####,
    ####"""
CREATE TABLE sizeKey (
  id INTEGER PRIMARY KEY,
  axis TEXT NOT NULL CHECK (axis IN ('horizontal', 'vertical')), -- the direction of scrolling
  fittingPixels INTEGER NOT NULL CHECK (fittingPixels > 0), -- across it, in device pixels
  variant TEXT NOT NULL, -- a state that changes the size: '', 'expanded'
  environment INTEGER NOT NULL REFERENCES layoutEnvironment (id),
  usedAt INTEGER NOT NULL DEFAULT 0, -- milliseconds since 1970: the key used longest ago goes first
  UNIQUE (axis, fittingPixels, variant, environment)
) STRICT
"""####,
    ####"""
CREATE INDEX index_sizeKey_on_environment ON sizeKey (environment)
"""####,
    ####"""
CREATE TABLE store (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  storeID BLOB NOT NULL CHECK (length(storeID) = 16),
  createdAt INTEGER NOT NULL -- milliseconds since 1970
, lastItem INTEGER NOT NULL DEFAULT 0 CHECK (lastItem >= 0), isBypassed INTEGER NOT NULL DEFAULT 0 CHECK (isBypassed IN (0, 1)), importedEdits TEXT) STRICT
"""####,
    ####"""
CREATE TRIGGER supplementary_delete AFTER DELETE ON supplementary BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TRIGGER supplementary_insert AFTER INSERT ON supplementary BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TRIGGER supplementary_update AFTER UPDATE ON supplementary BEGIN UPDATE store SET isBypassed = 1; END
"""####,
    ####"""
CREATE TABLE supplementary (
  section INTEGER NOT NULL REFERENCES section (id) ON DELETE CASCADE,
  kind TEXT NOT NULL, -- 'header', 'footer'
  view TEXT NOT NULL CHECK (length(CAST(view AS BLOB)) BETWEEN 1 AND 256),
  content TEXT NOT NULL, -- JSON
  PRIMARY KEY (section, kind)
) STRICT, WITHOUT ROWID
"""####,
    ####"""
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
) STRICT, WITHOUT ROWID
"""####,
    ####"""
CREATE INDEX index_supplementarySize_on_sizeKey ON supplementarySize (sizeKey)
"""####,
    ####"""
CREATE TABLE viewState (
  list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  view TEXT NOT NULL CHECK (length(CAST(view AS BLOB)) <= 256), -- the screen; '' for a list's only one
  selectionMode TEXT NOT NULL CHECK (selectionMode IN ('none', 'single', 'multiple')),
  anchorItem TEXT, -- the item at the top of what was to be seen
  anchorOffset REAL CHECK (anchorOffset BETWEEN -1e6 AND 1e6), -- of its leading edge, in points
  PRIMARY KEY (list, view),
  CHECK ((anchorItem IS NULL) = (anchorOffset IS NULL))
) STRICT, WITHOUT ROWID
"""####,
  ]
}
