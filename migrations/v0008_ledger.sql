-- More about each migration that was applied: how long it took, who applied it, the schema that it
-- left, and which versions can still read the store. NULL: it was applied before this version.
--! minimum-reader 7

ALTER TABLE schemaMigration ADD COLUMN duration INTEGER CHECK (duration >= 0); -- milliseconds
ALTER TABLE schemaMigration ADD COLUMN libraryVersion TEXT;
ALTER TABLE schemaMigration ADD COLUMN fingerprint TEXT; -- of the whole schema, by KnownSchema
ALTER TABLE schemaMigration ADD COLUMN minimumReader INTEGER; -- the oldest version that can read

--! down
ALTER TABLE schemaMigration DROP COLUMN minimumReader;
ALTER TABLE schemaMigration DROP COLUMN fingerprint;
ALTER TABLE schemaMigration DROP COLUMN libraryVersion;
ALTER TABLE schemaMigration DROP COLUMN duration;
