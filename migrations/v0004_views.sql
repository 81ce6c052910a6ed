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
