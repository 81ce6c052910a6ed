-- Shows the lists of a store, and their log, to plain SQLite: see the article "Looking into a store
-- with SQLite". The views last as long as the connection:
--
--     cp store.sqlite* /tmp/look/
--     sqlite3 -init tools/looking.sql /tmp/look/store.sqlite "SELECT * FROM itemInOrder"

-- Every item in its list's order, with its content and its measured sizes.
CREATE TEMP VIEW itemInOrder AS
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
    WHERE owner = json_extract(member.value, '$[0]')) AS sizes
FROM member JOIN section ON section.id = member.section JOIN list ON list.id = section.list
  JOIN sectionPlace ON sectionPlace.section = section.id
  LEFT JOIN cell ON cell.id = json_extract(member.value, '$[2]')
  LEFT JOIN content ON content.id
    = coalesce(json_extract(member.value, '$[4]'), json_extract(member.value, '$[0]'))
ORDER BY list.name, sectionPlace.position, member.position;

-- Every change that the log has, in order. Paths count from 0: "2.7" is item 7 of section 2.
CREATE TEMP VIEW changeInOrder AS
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
