// Written by tools/embed from tools/looking.sql: edit that.
// swift-format-ignore-file

extension QueryConnection {
  /// Views of a list in its order, and of its log.
  static let views = ####"""
-- Shows the lists of a store, and their log, to plain SQLite: see the article "Looking into a store
-- with SQLite". The views last as long as the connection:
--
--     cp store.sqlite* /tmp/look/
--     sqlite3 -init tools/looking.sql /tmp/look/store.sqlite "SELECT * FROM itemInOrder"

-- Every item in its list's order, with its content and its measured sizes. The rows come in order, one
-- after another: a query with LIMIT reads no more than it shows.
CREATE TEMP VIEW itemInOrder AS
WITH RECURSIVE
  -- The blocks over the sections of each list, and how many sections come before each.
  sectionBlock (list, block, level, start) AS (
    SELECT list.id, block.id, block.level, 0 FROM list JOIN block ON block.id = list.root
    -- Without the hidden lists, of which a derived list with a limit has the first items. Their names begin
    -- with U+0000, where length() ends.
    WHERE length(list.name) > 0
    UNION ALL
    SELECT sectionBlock.list, below.id, below.level,
      start + (SELECT coalesce(sum(json_extract(earlier.value, '$[1]')), 0)
        FROM json_each(block.members) AS earlier WHERE earlier.key < child.key)
    FROM sectionBlock JOIN block ON block.id = sectionBlock.block
      JOIN json_each(block.members) AS child
      JOIN block AS below ON below.id = json_extract(child.value, '$[0]')
    WHERE sectionBlock.level > 0 AND below.level = sectionBlock.level - 1
  ),
  -- The sections of all lists, numbered in order.
  sectionPlace (number, list, section, position, root) AS (
    SELECT row_number() OVER (ORDER BY list.name, start + entry.key), list.id, section.id,
      start + entry.key, section.root
    FROM sectionBlock JOIN block ON block.id = sectionBlock.block
      JOIN json_each(block.members) AS entry
      JOIN section ON section.id = json_extract(entry.value, '$[0]')
      JOIN list ON list.id = sectionBlock.list
    WHERE sectionBlock.level = 0
  ),
  -- The blocks over the items of each section, in order, and how many items come before each.
  itemBlock (number, block, start, depth, level) AS (
    SELECT number, block.id, 0, 0, block.level
    FROM sectionPlace JOIN block ON block.id = sectionPlace.root
    UNION ALL
    SELECT number, below.id,
      start + (SELECT coalesce(sum(json_extract(earlier.value, '$[1]')), 0)
        FROM json_each(block.members) AS earlier WHERE earlier.key < child.key),
      depth + 1, below.level
    FROM itemBlock JOIN block ON block.id = itemBlock.block
      JOIN json_each(block.members) AS child
      JOIN block AS below ON below.id = json_extract(child.value, '$[0]')
    WHERE itemBlock.level > 0 AND below.level = itemBlock.level - 1
    ORDER BY 1, 3, 4
  )
SELECT list.name AS list, sectionPlace.position AS sectionPosition, section.name AS section,
  leaf.start + member.key AS position, json_extract(member.value, '$[1]') AS item,
  cell.name AS cell, coalesce(json_extract(member.value, '$[3]'), 0) AS contentRevision,
  content.type AS type, content.action AS action, content.content AS content,
  (SELECT json_group_array(json_object('axis', axis, 'fittingPixels', fittingPixels,
      'variant', variant, 'width', width, 'height', height))
    FROM measuredSize JOIN sizeKey ON sizeKey.id = sizeKey
    WHERE owner = json_extract(member.value, '$[0]')) AS sizes
-- CROSS JOIN keeps SQLite from taking the tables in another order, and the LIMIT, which leaves nothing
-- out, lets it take one block after another.
FROM (SELECT * FROM itemBlock WHERE level = 0 LIMIT -1) AS leaf
  CROSS JOIN block ON block.id = leaf.block
  CROSS JOIN json_each(block.members) AS member
  CROSS JOIN sectionPlace ON sectionPlace.number = leaf.number
  CROSS JOIN section ON section.id = sectionPlace.section
  CROSS JOIN list ON list.id = sectionPlace.list
  LEFT JOIN cell ON cell.id = json_extract(member.value, '$[2]')
  LEFT JOIN content ON content.id
    = coalesce(json_extract(member.value, '$[4]'), json_extract(member.value, '$[0]'));

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
FROM entry JOIN list ON list.id = entry.list AND length(list.name) > 0
  JOIN listCommit ON listCommit.list = entry.list AND listCommit.revision = entry.revision
  JOIN author ON author.id = listCommit.author
ORDER BY list.name, entry.revision, entry.chunk, entry.place;

"""####
}
