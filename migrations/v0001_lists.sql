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
