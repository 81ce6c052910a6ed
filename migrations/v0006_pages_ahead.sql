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
