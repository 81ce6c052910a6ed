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
