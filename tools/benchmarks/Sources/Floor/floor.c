#include "Floor.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { statement_count = 12 };

struct floor_store {
  sqlite3 *db;
  sqlite3_stmt *commit[statement_count];
  int64_t item;
  int64_t revision;
  int64_t block_list, section, author;
  int64_t *sized_items, *summed_blocks;
  int64_t sized_count, summed_count;
};

static char message[512];

const char *floor_error(void) { return message; }

static int fail(sqlite3 *db) {
  snprintf(message, sizeof message, "%s", db ? sqlite3_errmsg(db) : "out of memory");
  return -1;
}

static int run(sqlite3 *db, const char *sql) {
  return sqlite3_exec(db, sql, 0, 0, 0) == SQLITE_OK ? 0 : fail(db);
}

static int prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, 0) == SQLITE_OK
    ? 0 : fail(db);
}

/// Runs a statement that returns no row.
static int step(sqlite3 *db, sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? 0 : fail(db);
}

struct floor_store *floor_open(const char *path) {
  struct floor_store *store = calloc(1, sizeof *store);
  if (!store) return 0;
  if (sqlite3_open_v2(path, &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, 0) != SQLITE_OK
      || run(store->db, "PRAGMA journal_mode = WAL") || run(store->db, "PRAGMA synchronous = NORMAL")
      || run(store->db, "PRAGMA foreign_keys = 1")
      || sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0) != SQLITE_OK) {
    fail(store->db);
    floor_close(store);
    return 0;
  }
  return store;
}

void floor_close(struct floor_store *store) {
  if (!store) return;
  for (int i = 0; i < statement_count; i++) sqlite3_finalize(store->commit[i]);
  free(store->sized_items);
  free(store->summed_blocks);
  sqlite3_close(store->db);
  free(store);
}

// Whole rows

int floor_make_items(struct floor_store *store) {
  return run(
    store->db,
    "CREATE TABLE item (id INTEGER PRIMARY KEY, section INTEGER NOT NULL, rank INTEGER NOT NULL,"
    " key TEXT NOT NULL UNIQUE, cell INTEGER NOT NULL, w REAL NOT NULL, h REAL NOT NULL,"
    " payload TEXT NOT NULL, UNIQUE (section, rank))");
}

int64_t floor_insert_items(struct floor_store *store, struct floor_rows rows) {
  sqlite3_stmt *insert;
  if (prepare(store->db, "INSERT INTO item VALUES (?, 1, ?, ?, 1, 375.0, ?, ?)", &insert)) return -1;
  int failed = run(store->db, "BEGIN IMMEDIATE");
  for (int64_t i = 0; i < rows.count && !failed; i++) {
    sqlite3_bind_int64(insert, 1, i + 1);
    sqlite3_bind_int64(insert, 2, i * 1024);
    sqlite3_bind_text(insert, 3, rows.keys + i * rows.key_length, rows.key_length, SQLITE_STATIC);
    sqlite3_bind_double(insert, 4, 44.0 + i % 64);
    sqlite3_bind_text(
      insert, 5, rows.payloads + i * rows.payload_length, rows.payload_length, SQLITE_STATIC);
    failed = step(store->db, insert);
  }
  sqlite3_finalize(insert);
  if (failed || run(store->db, "COMMIT")) return -1;
  return rows.count;
}

int64_t floor_update_items(struct floor_store *store, struct floor_rows rows) {
  sqlite3_stmt *update;
  if (prepare(store->db, "UPDATE item SET payload = ? WHERE id = ?", &update)) return -1;
  int failed = run(store->db, "BEGIN IMMEDIATE");
  for (int64_t i = 0; i < rows.count && !failed; i++) {
    sqlite3_bind_text(
      update, 1, rows.payloads + i * rows.payload_length, rows.payload_length, SQLITE_STATIC);
    sqlite3_bind_int64(update, 2, i + 1);
    failed = step(store->db, update);
  }
  sqlite3_finalize(update);
  if (failed || run(store->db, "COMMIT")) return -1;
  return rows.count;
}

int64_t floor_step_items(struct floor_store *store) {
  sqlite3_stmt *read;
  if (prepare(
        store->db,
        "SELECT id, section, rank, key, cell, w, h, payload FROM item WHERE section = 1"
        " ORDER BY rank", &read)) return -1;
  int64_t count = 0;
  volatile int64_t sum = 0;
  int code;
  while ((code = sqlite3_step(read)) == SQLITE_ROW) {
    int64_t row = sqlite3_column_int64(read, 0) + sqlite3_column_int64(read, 1)
      + sqlite3_column_int64(read, 2) + sqlite3_column_int64(read, 4);
    row += sqlite3_column_text(read, 3)[0] + sqlite3_column_bytes(read, 3);
    row += (int64_t)(sqlite3_column_double(read, 5) + sqlite3_column_double(read, 6));
    row += sqlite3_column_text(read, 7)[0] + sqlite3_column_bytes(read, 7);
    sum += row;
    count++;
  }
  sqlite3_finalize(read);
  return code == SQLITE_DONE ? count : fail(store->db);
}

// Sizes

int64_t floor_make_sizes(struct floor_store *store, int64_t count) {
  sqlite3_stmt *insert;
  if (run(
        store->db,
        "CREATE TABLE size (item INTEGER PRIMARY KEY, width REAL NOT NULL, height REAL NOT NULL,"
        " contentRevision INTEGER NOT NULL)")
      || prepare(store->db, "INSERT INTO size VALUES (?, 375.5, 44.5, 0)", &insert)) return -1;
  int failed = run(store->db, "BEGIN IMMEDIATE");
  for (int64_t i = 1; i <= count && !failed; i++) {
    sqlite3_bind_int64(insert, 1, i);
    failed = step(store->db, insert);
  }
  sqlite3_finalize(insert);
  if (failed || run(store->db, "COMMIT")) return -1;
  return count;
}

int64_t floor_update_sizes(
  struct floor_store *store, const int64_t *ids, int64_t count, double height
) {
  sqlite3_stmt *update;
  if (prepare(store->db, "UPDATE size SET height = ? WHERE item = ?", &update)) return -1;
  int failed = run(store->db, "BEGIN IMMEDIATE");
  for (int64_t i = 0; i < count && !failed; i++) {
    sqlite3_bind_double(update, 1, height);
    sqlite3_bind_int64(update, 2, ids[i]);
    failed = step(store->db, update);
  }
  sqlite3_finalize(update);
  if (failed || run(store->db, "COMMIT")) return -1;
  return count;
}

// Sizes of a store of Cellar

static int ascending(const void *lhs, const void *rhs) {
  int64_t left = *(const int64_t *)lhs, right = *(const int64_t *)rhs;
  return left < right ? -1 : left > right;
}

/// Sorts numbers and drops those that are there twice.
static int64_t unique(int64_t *numbers, int64_t count) {
  int64_t kept = 0;
  qsort(numbers, count, sizeof *numbers, ascending);
  for (int64_t i = 0; i < count; i++)
    if (!kept || numbers[kept - 1] != numbers[i]) numbers[kept++] = numbers[i];
  return kept;
}

/// The blocks of items by the items' ids, which no table of Cellar's has.
static int make_places(struct floor_store *store) {
  return run(
    store->db,
    "DROP TABLE IF EXISTS temp.place; CREATE TEMP TABLE place (id INTEGER PRIMARY KEY, block INTEGER);"
    " INSERT INTO temp.place SELECT id, block FROM main.item");
}

int floor_choose_sizes(struct floor_store *store, const int64_t *items, int64_t count) {
  enum { levels = 8 };
  sqlite3_stmt *leaf = 0, *parent = 0;
  free(store->sized_items);
  free(store->summed_blocks);
  store->sized_items = malloc(count * sizeof(int64_t));
  store->summed_blocks = malloc(count * levels * sizeof(int64_t));
  if (!store->sized_items || !store->summed_blocks) return fail(0);
  memcpy(store->sized_items, items, count * sizeof(int64_t));
  store->sized_count = unique(store->sized_items, count);
  int64_t blocks = 0;
  if (make_places(store)
      || prepare(store->db, "SELECT block FROM temp.place WHERE id = ?", &leaf)
      || prepare(store->db, "SELECT parent FROM block WHERE id = ?", &parent)) return -1;
  for (int64_t i = 0; i < store->sized_count; i++) {
    sqlite3_stmt *next = leaf;
    int64_t id = store->sized_items[i];
    for (int level = 0; level < levels; level++) {
      sqlite3_bind_int64(next, 1, id);
      int found = sqlite3_step(next) == SQLITE_ROW && sqlite3_column_type(next, 0) != SQLITE_NULL;
      id = found ? sqlite3_column_int64(next, 0) : 0;
      sqlite3_reset(next);
      if (!found) break;
      store->summed_blocks[blocks++] = id;
      next = parent;
    }
  }
  store->summed_count = unique(store->summed_blocks, blocks);
  sqlite3_finalize(leaf);
  sqlite3_finalize(parent);
  return 0;
}

int64_t floor_write_sizes(struct floor_store *store, double height) {
  sqlite3_stmt *size = 0, *sum = 0;
  if (prepare(
        store->db,
        "INSERT INTO measuredSize (owner, sizeKey, width, height, cell, content, layout,"
        " measurerVersion) VALUES (?, 1, 375, ?, 1, 0, 0, 1)"
        " ON CONFLICT DO UPDATE SET height = excluded.height", &size)
      || prepare(
        store->db, "UPDATE blockExtent SET length = length + 1024 WHERE sizeKey = 1 AND block = ?",
        &sum)) return -1;
  int failed = run(store->db, "BEGIN IMMEDIATE");
  for (int64_t i = 0; i < store->sized_count && !failed; i++) {
    sqlite3_bind_int64(size, 1, store->sized_items[i]);
    sqlite3_bind_double(size, 2, height);
    failed = step(store->db, size);
  }
  for (int64_t i = 0; i < store->summed_count && !failed; i++) {
    sqlite3_bind_int64(sum, 1, store->summed_blocks[i]);
    failed = step(store->db, sum);
  }
  sqlite3_finalize(size);
  sqlite3_finalize(sum);
  if (failed || run(store->db, "COMMIT")) return -1;
  return store->sized_count;
}

// One change of a store of Cellar

static const char *const commit_sql[statement_count] = {
  "BEGIN IMMEDIATE",
  "INSERT INTO item (list, name, id, block) VALUES (?2, ?3, ?1, ?4)",
  "INSERT INTO content (id, type, action, content) VALUES (?, NULL, NULL, ?)",
  "INSERT INTO listCommit (list, revision, author, time, feedSequence, feedDigest, digest, chain,"
  " changeTotal, byteTotal, firstChange)"
  " VALUES (?1, ?2, ?3, 1700000000000, NULL, NULL, 6148914691236517205, 6148914691236517205, 50000,"
  " 5000000, ?2)",
  "INSERT INTO change (list, revision, entries, neighbours) VALUES (?, ?, ?, ?)",
  "UPDATE block SET parent = ?, memberCount = ?, members = ? WHERE id = ?",
  "UPDATE section SET root = root, itemCount = itemCount + 1 WHERE id = ?",
  "UPDATE store SET lastItem = ?",
  "UPDATE list SET revision = ?, feedSequence = 0, sectionCount = 1, root = root,"
  " digest = 6148914691236517205, chain = 6148914691236517205, logFloor = 0, floorChain = 0"
  " WHERE id = ?",
  "COMMIT",
  "SELECT block FROM temp.place WHERE id = ?",
  "SELECT parent, memberCount, members FROM block WHERE id = ?",
};

static int64_t number(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  if (prepare(db, sql, &statement)) return -1;
  int64_t value = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
  sqlite3_finalize(statement);
  return value;
}

int floor_prepare_commits(struct floor_store *store) {
  sqlite3 *db = store->db;
  if (make_places(store)) return -1;
  for (int i = 0; i < statement_count; i++) {
    if (prepare(db, commit_sql[i], &store->commit[i])) return -1;
  }
  store->item = number(db, "SELECT lastItem FROM store");
  store->revision = number(db, "SELECT revision FROM list");
  store->block_list = number(db, "SELECT id FROM list");
  store->section = number(db, "SELECT id FROM section");
  store->author = number(db, "SELECT author FROM listCommit");
  if (store->item < 0 || store->revision < 0 || store->block_list < 0 || store->section < 0
      || store->author < 0) return fail(db);
  return 0;
}

/// A copy, with one member more if that is so: a row of the same length is written in place.
static char *grown(const char *members, int is_leaf) {
  static const char more[] = ",[1000000,\"episode0123456789abc\",1]]";
  size_t length = strlen(members);
  char *copy = malloc(length + sizeof more);
  if (!copy) return 0;
  memcpy(copy, members, length + 1);
  if (is_leaf && length > 0) memcpy(copy + length - 1, more, sizeof more);
  return copy;
}

int floor_read_path(struct floor_store *store, int64_t item, struct floor_path *path) {
  sqlite3_stmt *find = store->commit[10], *read = store->commit[11];
  memset(path, 0, sizeof *path);
  sqlite3_bind_int64(find, 1, item);
  int64_t block = sqlite3_step(find) == SQLITE_ROW ? sqlite3_column_int64(find, 0) : 0;
  sqlite3_reset(find);
  while (block > 0 && path->count < 8) {
    int i = path->count++;
    sqlite3_bind_int64(read, 1, block);
    if (sqlite3_step(read) != SQLITE_ROW) return fail(store->db);
    path->blocks[i] = block;
    path->parents[i] = block = sqlite3_column_int64(read, 0);
    path->counts[i] = sqlite3_column_int64(read, 1);
    path->members[i] = grown((const char *)sqlite3_column_text(read, 2), i == 0);
    path->lengths[i] = path->members[i] ? (int)strlen(path->members[i]) : 0;
    sqlite3_reset(read);
  }
  return path->count > 0 ? 0 : -1;
}

void floor_free_path(struct floor_path *path) {
  for (int i = 0; i < path->count; i++) free((void *)path->members[i]);
  path->count = 0;
}

int64_t floor_commit(
  struct floor_store *store, const struct floor_path *path, const char *key, int key_length,
  const char *payload, int payload_length
) {
  static const char neighbours[25];
  char entries[128];
  sqlite3 *db = store->db;
  sqlite3_stmt **run = store->commit;
  int64_t id = ++store->item, revision = ++store->revision;
  if (step(db, run[0])) return -1;
  sqlite3_bind_int64(run[1], 1, id);
  sqlite3_bind_int64(run[1], 2, store->block_list);
  sqlite3_bind_text(run[1], 3, key, key_length, SQLITE_STATIC);
  sqlite3_bind_int64(run[1], 4, path->blocks[0]);
  sqlite3_bind_int64(run[2], 1, id);
  sqlite3_bind_text(run[2], 2, payload, payload_length, SQLITE_STATIC);
  sqlite3_bind_int64(run[3], 1, store->block_list);
  sqlite3_bind_int64(run[3], 2, revision);
  sqlite3_bind_int64(run[3], 3, store->author);
  sqlite3_bind_int64(run[4], 1, store->block_list);
  sqlite3_bind_int64(run[4], 2, revision);
  int length = snprintf(
    entries, sizeof entries, "[[1,\"%.*s\",0,50000,1,0,%lld]]", key_length, key, (long long)id);
  sqlite3_bind_text(run[4], 3, entries, length, SQLITE_STATIC);
  sqlite3_bind_blob(run[4], 4, neighbours, sizeof neighbours, SQLITE_STATIC);
  for (int i = 1; i <= 4; i++) if (step(db, run[i])) return -1;
  for (int i = 0; i < path->count; i++) {
    if (path->parents[i] > 0) sqlite3_bind_int64(run[5], 1, path->parents[i]);
    else sqlite3_bind_null(run[5], 1);
    // Another count in each commit: SQLite does not write a row that is equal to the one before.
    sqlite3_bind_int64(run[5], 2, path->counts[i] + revision);
    sqlite3_bind_text(run[5], 3, path->members[i], path->lengths[i], SQLITE_STATIC);
    sqlite3_bind_int64(run[5], 4, path->blocks[i]);
    if (step(db, run[5])) return -1;
  }
  sqlite3_bind_int64(run[6], 1, store->section);
  sqlite3_bind_int64(run[7], 1, id);
  sqlite3_bind_int64(run[8], 1, revision);
  sqlite3_bind_int64(run[8], 2, store->block_list);
  // Ids are reserved by the 64.
  for (int i = 6; i <= 9; i++) if ((i != 7 || id % 64 == 0) && step(db, run[i])) return -1;
  return 1;
}

// Many insertions into a store of Cellar, with their log

/// A row of `block` or of `change` that is being filled.
struct text {
  char bytes[4096];
  int length, entries;
};

static void append(struct text *text, const char *bytes, int length) {
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
}

static void append_number(struct text *text, int64_t number) {
  char digits[20];
  int length = 0;
  do digits[length++] = '0' + number % 10; while (number /= 10);
  while (length) text->bytes[text->length++] = digits[--length];
}

static void begin(struct text *text) {
  append(text, text->entries++ ? ",[" : "[[", 2);
}

int64_t floor_insert_logged(struct floor_store *store, struct floor_rows rows) {
  static const char *const sql[] = {
    "INSERT INTO item (list, name, id, block) VALUES (1, ?, ?, ?)",
    "INSERT INTO content (id, type, action, content) VALUES (?, NULL, NULL, ?)",
    "INSERT INTO change (list, revision, entries, neighbours) VALUES (1, 1000, ?, ?)",
    "INSERT INTO block (list, section, parent, level, memberCount, members)"
    " VALUES (1, 1, 1, 0, ?, ?)",
  };
  enum { statements = sizeof sql / sizeof *sql, most_of_change = 4000, most_of_block = 1990 };
  static const char neighbours[256];
  sqlite3 *db = store->db;
  sqlite3_stmt *insert[statements] = {0};
  struct text change = {.length = 0}, block = {.length = 0};
  int failed = run(db, "BEGIN IMMEDIATE");
  int64_t block_id = 1;
  for (int i = 0; i < statements && !failed; i++) failed = prepare(db, sql[i], &insert[i]);
  for (int64_t i = 0; i < rows.count && !failed; i++) {
    const char *key = rows.keys + i * rows.key_length;
    const char *payload = rows.payloads + i * rows.payload_length;
    int is_last = i + 1 == rows.count;
    sqlite3_bind_text(insert[0], 1, key, rows.key_length, SQLITE_STATIC);
    sqlite3_bind_int64(insert[0], 2, i + 1);
    sqlite3_bind_int64(insert[0], 3, block_id);
    sqlite3_bind_int64(insert[1], 1, i + 1);
    sqlite3_bind_text(insert[1], 2, payload, rows.payload_length, SQLITE_STATIC);
    failed = step(db, insert[0]) || step(db, insert[1]);
    begin(&change);
    append(&change, "1,\"", 3);
    append(&change, key, rows.key_length);
    append(&change, "\",0,", 4);
    append_number(&change, i);
    append(&change, ",1,0,", 5);
    append_number(&change, i + 1);
    append(&change, "]", 1);
    begin(&block);
    append_number(&block, i + 1);
    append(&block, ",\"", 2);
    append(&block, key, rows.key_length);
    append(&block, "\",1]", 4);
    if (!failed && (is_last || change.length + change.entries > most_of_change - 60)) {
      append(&change, "]", 1);
      sqlite3_bind_text(insert[2], 1, change.bytes, change.length, SQLITE_STATIC);
      sqlite3_bind_blob(insert[2], 2, neighbours, change.entries + 24, SQLITE_STATIC);
      failed = step(db, insert[2]);
      change.length = change.entries = 0;
    }
    if (!failed && (is_last || block.length > most_of_block - 40)) {
      append(&block, "]", 1);
      sqlite3_bind_int64(insert[3], 1, block.entries);
      sqlite3_bind_text(insert[3], 2, block.bytes, block.length, SQLITE_STATIC);
      failed = step(db, insert[3]);
      block.length = block.entries = 0;
      block_id++;
    }
  }
  for (int i = 0; i < statements; i++) sqlite3_finalize(insert[i]);
  return failed || run(db, "COMMIT") ? -1 : rows.count;
}

// A feed of insertions into a store of Cellar

/// What all commits of a feed write: the statements, and the rows that grow from commit to commit.
struct ingest {
  sqlite3 *db;
  sqlite3_stmt *run[9];
  struct text change, leaf, parent;
  int64_t list, section, author, item, leaf_id, parent_id, revision, sequence;
};

static const char *const ingest_sql[] = {
  "INSERT INTO item (list, name, id, block) VALUES (?, ?, ?, ?)",
  "INSERT INTO content (id, type, action, content) VALUES (?, NULL, NULL, ?)",
  "INSERT INTO change (list, revision, entries, neighbours) VALUES (?, ?, ?, ?)",
  "INSERT INTO block (id, list, section, parent, level, memberCount, members)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
  " ON CONFLICT DO UPDATE SET memberCount = ?6, members = ?7",
  "INSERT INTO listCommit (list, revision, author, time, feedSequence, feedDigest, digest, chain,"
  " changeTotal, byteTotal, firstChange) VALUES (?1, ?2, ?3, 1700000000000, ?4, NULL,"
  " 6148914691236517205, 6148914691236517205, 50000, 5000000, ?2)",
  "INSERT INTO feedLine (list, epoch, sequence, digest, isSnapshot, revision)"
  " VALUES (?, 0, ?, randomblob(16), 0, ?)",
  "UPDATE section SET itemCount = ? WHERE id = ?",
  "UPDATE list SET revision = ?2, feedSequence = ?3, digest = 6148914691236517205 + ?2,"
  " chain = 6148914691236517205 + ?2 WHERE id = ?1",
  "UPDATE store SET lastItem = ?",
};

static int ingest_change(struct ingest *in) {
  static const char neighbours[256];
  append(&in->change, "]", 1);
  sqlite3_bind_int64(in->run[2], 1, in->list);
  sqlite3_bind_int64(in->run[2], 2, in->revision);
  sqlite3_bind_text(in->run[2], 3, in->change.bytes, in->change.length, SQLITE_STATIC);
  sqlite3_bind_blob(in->run[2], 4, neighbours, in->change.entries + 24, SQLITE_STATIC);
  in->change.length = in->change.entries = 0;
  return step(in->db, in->run[2]);
}

/// Writes a block as it is now; the text stays without its end, so that more can follow.
static int ingest_block(struct ingest *in, struct text *block, int64_t id, int64_t parent, int level) {
  block->bytes[block->length] = ']';
  sqlite3_bind_int64(in->run[3], 1, id);
  sqlite3_bind_int64(in->run[3], 2, in->list);
  sqlite3_bind_int64(in->run[3], 3, in->section);
  sqlite3_bind_int64(in->run[3], 4, parent);
  sqlite3_bind_int64(in->run[3], 5, level);
  sqlite3_bind_int64(in->run[3], 6, block->entries);
  sqlite3_bind_text(in->run[3], 7, block->bytes, block->length + 1, SQLITE_STATIC);
  return step(in->db, in->run[3]);
}

static int ingest_item(struct ingest *in, const struct floor_rows *rows, int64_t i) {
  const char *key = rows->keys + i * rows->key_length;
  const char *payload = rows->payloads + i * rows->payload_length;
  int64_t id = ++in->item;
  if (in->leaf.length > 1990 - 40) {
    if (ingest_block(in, &in->leaf, in->leaf_id, in->parent_id, 0)) return -1;
    begin(&in->parent);
    append_number(&in->parent, in->leaf_id++);
    append(&in->parent, ",64]", 4);
    in->leaf.length = in->leaf.entries = 0;
    if (in->parent.length > 1990 - 40) in->parent.length = in->parent.entries = 0;
  }
  sqlite3_bind_int64(in->run[0], 1, in->list);
  sqlite3_bind_text(in->run[0], 2, key, rows->key_length, SQLITE_STATIC);
  sqlite3_bind_int64(in->run[0], 3, id);
  sqlite3_bind_int64(in->run[0], 4, in->leaf_id);
  sqlite3_bind_int64(in->run[1], 1, id);
  sqlite3_bind_text(in->run[1], 2, payload, rows->payload_length, SQLITE_STATIC);
  if (step(in->db, in->run[0]) || step(in->db, in->run[1])) return -1;
  begin(&in->leaf);
  append_number(&in->leaf, id);
  append(&in->leaf, ",\"", 2);
  append(&in->leaf, key, rows->key_length);
  append(&in->leaf, "\",1]", 4);
  begin(&in->change);
  append(&in->change, "1,\"", 3);
  append(&in->change, key, rows->key_length);
  append(&in->change, "\",0,", 4);
  append_number(&in->change, i);
  append(&in->change, ",1,0,", 5);
  append_number(&in->change, id);
  append(&in->change, "]", 1);
  return in->change.length + in->change.entries > 4000 - 60 ? ingest_change(in) : 0;
}

/// The rows that are once in each commit.
static int ingest_end(struct ingest *in, int64_t count) {
  if (in->change.length && ingest_change(in)) return -1;
  if (in->leaf.length && ingest_block(in, &in->leaf, in->leaf_id, in->parent_id, 0)) return -1;
  if (in->parent.length && ingest_block(in, &in->parent, in->parent_id, 0, 1)) return -1;
  sqlite3_bind_int64(in->run[4], 1, in->list);
  sqlite3_bind_int64(in->run[4], 2, in->revision);
  sqlite3_bind_int64(in->run[4], 3, in->author);
  sqlite3_bind_int64(in->run[4], 4, in->sequence);
  sqlite3_bind_int64(in->run[5], 1, in->list);
  sqlite3_bind_int64(in->run[5], 2, in->sequence);
  sqlite3_bind_int64(in->run[5], 3, in->revision);
  sqlite3_bind_int64(in->run[6], 1, count);
  sqlite3_bind_int64(in->run[6], 2, in->section);
  sqlite3_bind_int64(in->run[7], 1, in->list);
  sqlite3_bind_int64(in->run[7], 2, in->revision);
  sqlite3_bind_int64(in->run[7], 3, in->sequence);
  sqlite3_bind_int64(in->run[8], 1, in->item);
  for (int i = 4; i <= 8; i++) if (step(in->db, in->run[i])) return -1;
  return run(in->db, "COMMIT");
}

int64_t floor_ingest(struct floor_store *store, struct floor_rows rows, int64_t commit_size) {
  enum { statements = sizeof ingest_sql / sizeof *ingest_sql, first_block = 1000000 };
  struct ingest in = {.db = store->db, .leaf_id = first_block + 1, .parent_id = first_block};
  in.list = number(store->db, "SELECT id FROM list");
  in.section = number(store->db, "SELECT id FROM section");
  in.author = number(store->db, "SELECT author FROM listCommit");
  in.revision = number(store->db, "SELECT revision FROM list");
  if (in.list < 0 || in.section < 0 || in.author < 0 || in.revision < 0) return fail(store->db);
  int failed = run(store->db, "PRAGMA wal_autocheckpoint = 4000");
  for (int i = 0; i < statements && !failed; i++) {
    failed = prepare(store->db, ingest_sql[i], &in.run[i]);
  }
  for (int64_t i = 0; i < rows.count && !failed; i++) {
    if (i % commit_size == 0) {
      in.revision++;
      in.sequence++;
      failed = run(store->db, "BEGIN IMMEDIATE");
    }
    failed = failed || ingest_item(&in, &rows, i);
    int is_end = i + 1 == rows.count || (i + 1) % commit_size == 0;
    if (is_end && !failed) failed = ingest_end(&in, i + 1);
  }
  for (int i = 0; i < statements; i++) sqlite3_finalize(in.run[i]);
  failed = failed || run(store->db, "PRAGMA wal_checkpoint(PASSIVE)");
  return failed ? -1 : rows.count;
}

// MARK: Locks

static _Atomic int64_t longest_lock;
/// When the transaction of this thread got its lock; 0 outside of one.
static _Thread_local int64_t locked_at;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/// Called at the end of each statement, and of `COMMIT` before the checkpoint that it may cause.
static int statement_ended(unsigned event, void *context, void *statement, void *duration) {
  (void)event, (void)context, (void)duration;
  const char *sql = sqlite3_sql(statement);
  if (!sql) return 0;
  if (strcmp(sql, "BEGIN IMMEDIATE") == 0) {
    locked_at = now();
  } else if (locked_at && strcmp(sql, "COMMIT") == 0) {
    int64_t time = now() - locked_at, longest = longest_lock;
    while (time > longest && !atomic_compare_exchange_weak(&longest_lock, &longest, time)) {}
    locked_at = 0;
  }
  return 0;
}

static int connection_opened(sqlite3 *db) {
  return sqlite3_trace_v2(db, SQLITE_TRACE_PROFILE, statement_ended, 0);
}

int floor_time_locks(void) {
  return sqlite3_auto_extension((void (*)(void))connection_opened) == SQLITE_OK ? 0 : fail(0);
}

int64_t floor_longest_lock(void) { return atomic_exchange(&longest_lock, 0); }
