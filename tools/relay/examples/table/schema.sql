-- A table of an app, and a trigger that notes which lists its changes belong to.
CREATE TABLE book (
  id text PRIMARY KEY, shelf text NOT NULL, title text NOT NULL, author text NOT NULL
);

-- Lists whose rows have changed since they were last written to the relay, each with its latest change.
CREATE TABLE changed_list (
  list text PRIMARY KEY, change xid8 NOT NULL DEFAULT pg_current_xact_id()
);

-- The note is in the transaction that changes the rows: neither is there without the other.
CREATE FUNCTION note_changed_list() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changed_list (list)
  SELECT DISTINCT shelf FROM (VALUES (OLD.shelf), (NEW.shelf)) AS changed (shelf)
  WHERE shelf IS NOT NULL ORDER BY shelf
  ON CONFLICT (list) DO UPDATE SET change = pg_current_xact_id();
  RETURN NULL;
END $$;
CREATE TRIGGER book_is_changed AFTER INSERT OR UPDATE OR DELETE ON book
FOR EACH ROW EXECUTE FUNCTION note_changed_list();
