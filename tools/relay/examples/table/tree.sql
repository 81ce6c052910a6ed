-- A list as a tree, from the rows of the table: its latest change, its id for an address, and the tree.
-- One statement, so that all three are of one moment.
SELECT changed.change,
  regexp_replace(encode(convert_to(changed.list, 'UTF8'), 'hex'), '(..)', '%\1', 'g'),
  jsonb_build_object('list', changed.list, 'sections', jsonb_build_array(jsonb_build_object(
    'id', 'books',
    'items', coalesce(
      jsonb_agg(
        jsonb_build_object(
          'id', book.id, 'cell', 'BookCell', 'type', 'Book',
          'content', jsonb_build_object('title', book.title, 'author', book.author, 'fans', '[]'::jsonb))
        ORDER BY book.title, book.id) FILTER (WHERE book.id IS NOT NULL),
      '[]'))))
FROM changed_list AS changed LEFT JOIN book ON book.shelf = changed.list
GROUP BY changed.list, changed.change
ORDER BY changed.list
LIMIT 100;
