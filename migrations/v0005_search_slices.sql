-- Full-text indexes of long lists are made in slices.

-- The last item, by its row, that an index has while it is made; NULL: it has all.
ALTER TABLE searchIndex ADD COLUMN filledUpTo INTEGER CHECK (filledUpTo >= 0);

--! down
-- Without the column, one that lacks items would be taken for a whole one. Who needs it makes it again.
INSERT INTO searchText (searchText)
  SELECT 'delete-all' WHERE EXISTS (SELECT 1 FROM searchIndex WHERE filledUpTo IS NOT NULL);

DELETE FROM searchIndex WHERE EXISTS (SELECT 1 FROM searchIndex WHERE filledUpTo IS NOT NULL);

ALTER TABLE searchIndex DROP COLUMN filledUpTo;
