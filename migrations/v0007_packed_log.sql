-- Each content is stored once, and the log is packed: half the bytes of before. After this file,
-- Cellar copies the log in code (`LogPacking.swift`), because SQL would write JSON texts anew. At
-- last it drops the tables whose names begin with `old`.

DROP TRIGGER item_insert;
DROP TRIGGER item_update;
DROP TRIGGER item_delete;
DROP TRIGGER itemContent_insert;
DROP TRIGGER itemContent_update;
DROP TRIGGER itemContent_delete;
ALTER TABLE item RENAME TO oldItem;
ALTER TABLE itemContent RENAME TO oldContent;
ALTER TABLE change RENAME TO oldChange;

-- What items hold and held. A row never changes: an update of an item makes another one. It is
-- deleted when neither an item nor an entry of the log names it.
CREATE TABLE content (
  id INTEGER PRIMARY KEY, -- that of the item whose first content it is, or another one
  type TEXT,
  action TEXT, -- JSON: url, event, attrs
  content TEXT NOT NULL -- JSON
) STRICT;
INSERT INTO content SELECT id, type, action, content FROM oldContent;

-- Where an item is, by its name. The rest of it is in its block's members:
-- [id, name, cell, content revision if it is not 0, content if it has another id than the item].
CREATE TABLE item (
  list INTEGER NOT NULL,
  name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
  id INTEGER NOT NULL, -- ids of items and of contents are given out by store.lastItem
  block INTEGER NOT NULL, -- that has its place
  PRIMARY KEY (list, name)
) STRICT, WITHOUT ROWID;
INSERT INTO item SELECT list, name, id, block FROM oldItem ORDER BY list, name;

-- The log: consecutive changes of a commit in each row, as many as fill a page. The rows of a commit
-- have consecutive ids, from listCommit.firstChange on.
CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  list INTEGER NOT NULL,
  revision INTEGER NOT NULL, -- of a row in listCommit
  entries TEXT NOT NULL, -- JSON: an array for each change; the view changeInOrder shows them
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

-- For looking into a store with any program. Cellar's own connections use no view.

-- Every item in its list's order, with its content and its measured sizes.
CREATE VIEW itemInOrder AS
WITH RECURSIVE
  root (list, section, block) AS (
    SELECT id, NULL, root FROM list UNION ALL SELECT list, id, root FROM section
  ),
  descent (list, section, block, level, start) AS (
    SELECT root.list, root.section, block.id, block.level, 0
    FROM root JOIN block ON block.id = root.block
    UNION ALL
    SELECT descent.list, descent.section, below.id, below.level,
      start + (SELECT coalesce(sum(json_extract(earlier.value, '$[1]')), 0)
        FROM json_each(block.members) AS earlier WHERE earlier.key < child.key)
    FROM descent JOIN block ON block.id = descent.block
      JOIN json_each(block.members) AS child
      JOIN block AS below ON below.id = json_extract(child.value, '$[0]')
    WHERE descent.level > 0 AND below.level = descent.level - 1
  ),
  member (list, section, position, value) AS (
    SELECT descent.list, descent.section, start + entry.key, entry.value
    FROM descent JOIN block ON block.id = descent.block JOIN json_each(block.members) AS entry
    WHERE descent.level = 0
  ),
  sectionPlace (section, position) AS (
    SELECT json_extract(value, '$[0]'), position FROM member WHERE section IS NULL
  )
SELECT list.name AS list, sectionPlace.position AS sectionPosition, section.name AS section,
  member.position AS position, json_extract(member.value, '$[1]') AS item, cell.name AS cell,
  coalesce(json_extract(member.value, '$[3]'), 0) AS contentRevision,
  content.type AS type, content.action AS action, content.content AS content,
  (SELECT json_group_array(json_object('axis', axis, 'fittingPixels', fittingPixels,
      'variant', variant, 'width', width, 'height', height))
    FROM measuredSize JOIN sizeKey ON sizeKey.id = sizeKey
    WHERE item = json_extract(member.value, '$[0]')) AS sizes
FROM member JOIN section ON section.id = member.section JOIN list ON list.id = section.list
  JOIN sectionPlace ON sectionPlace.section = section.id
  LEFT JOIN cell ON cell.id = json_extract(member.value, '$[2]')
  LEFT JOIN content ON content.id
    = coalesce(json_extract(member.value, '$[4]'), json_extract(member.value, '$[0]'))
ORDER BY list.name, sectionPlace.position, member.position;

-- Every change that the log has, in order. Paths count from 0: "2.7" is item 7 of section 2.
CREATE VIEW changeInOrder AS
WITH entry (list, revision, chunk, place, operation, value) AS (
  SELECT list, revision, change.id, key, json_extract(value, '$[0]'), value
  FROM change JOIN json_each(change.entries)
)
SELECT list.name AS list, entry.revision AS revision, author.name AS author,
  strftime('%Y-%m-%d %H:%M:%f', listCommit.time / 1000.0, 'unixepoch') AS time,
  CASE operation WHEN 1 THEN 'insertItem' WHEN 2 THEN 'deleteItem' WHEN 3 THEN 'moveItem'
    WHEN 4 THEN 'updateItem' WHEN 5 THEN 'touchItem' WHEN 6 THEN 'insertSection'
    WHEN 7 THEN 'deleteSection' WHEN 8 THEN 'moveSection' WHEN 9 THEN 'updateSection'
    WHEN 10 THEN 'updateList' END AS operation,
  CASE WHEN operation BETWEEN 1 AND 5 THEN json_extract(value, '$[1]') END AS item,
  CASE WHEN operation BETWEEN 6 AND 9 THEN json_extract(value, '$[1]') END AS section,
  CASE WHEN operation BETWEEN 2 AND 5
      THEN json_extract(value, '$[2]') || '.' || json_extract(value, '$[3]')
    WHEN operation BETWEEN 7 AND 9 THEN json_extract(value, '$[2]') END AS fromPath,
  CASE operation WHEN 1 THEN json_extract(value, '$[2]') || '.' || json_extract(value, '$[3]')
    WHEN 3 THEN json_extract(value, '$[4]') || '.' || json_extract(value, '$[5]')
    WHEN 6 THEN json_extract(value, '$[2]') WHEN 8 THEN json_extract(value, '$[3]') END AS toPath,
  (SELECT name FROM cell WHERE operation IN (2, 4) AND id = json_extract(value, '$[4]'))
    AS cellBefore,
  (SELECT name FROM cell WHERE id = CASE operation WHEN 1 THEN json_extract(value, '$[4]')
    WHEN 4 THEN json_extract(value, '$[7]') END) AS cellAfter,
  CASE WHEN operation IN (2, 4)
      THEN (SELECT content FROM content WHERE id = json_extract(value, '$[6]'))
    WHEN operation IN (7, 9) THEN json_extract(value, '$[3]')
    WHEN operation = 10 THEN json_extract(value, '$[1]') END AS before,
  CASE WHEN operation IN (1, 4) THEN (SELECT content FROM content
      WHERE id = json_extract(value, iif(operation = 1, '$[6]', '$[9]')))
    WHEN operation = 6 THEN json_extract(value, '$[3]')
    WHEN operation = 9 THEN json_extract(value, '$[4]')
    WHEN operation = 10 THEN json_extract(value, '$[2]') END AS after
FROM entry JOIN list ON list.id = entry.list
  JOIN listCommit ON listCommit.list = entry.list AND listCommit.revision = entry.revision
  JOIN author ON author.id = listCommit.author
ORDER BY list.name, entry.revision, entry.chunk, entry.place;
