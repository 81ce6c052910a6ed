#ifndef CELLAR_FLOOR_H
#define CELLAR_FLOOR_H

#include <stdint.h>

/// What SQLite does at best: prepared statements in C, nothing around them.
///
/// Every function that can fail returns a negative number then; `floor_error` says why.
struct floor_store;

/// Rows as they are given: keys and payloads of one length each, one behind the other.
struct floor_rows {
  int64_t count;
  const char *_Nullable keys;
  int key_length;
  const char *_Nullable payloads;
  int payload_length;
};

const char *_Nonnull floor_error(void);

/// Opens or makes a database: WAL, synchronous = NORMAL, as GRDB has it.
struct floor_store *_Nullable floor_open(const char *_Nonnull path);
void floor_close(struct floor_store *_Nullable store);

/// Makes the table of whole rows: `item(id, section, rank, key, cell, w, h, payload)` with
/// UNIQUE (section, rank) and UNIQUE (key).
int floor_make_items(struct floor_store *_Nonnull store);
/// Inserts rows in rank order, in one transaction.
int64_t floor_insert_items(struct floor_store *_Nonnull store, struct floor_rows rows);
/// Inserts into a store of Cellar that holds no item the rows that so many insertions write, those of
/// the log included, in one transaction: all but the blocks, which are one row for 64.
///
/// The store is no use afterwards.
int64_t floor_insert_logged(struct floor_store *_Nonnull store, struct floor_rows rows);
/// Inserts into a store of Cellar that holds a list with one empty section the rows that a feed of
/// insertions at the end writes, in a transaction for each so many.
///
/// The store is no use afterwards.
int64_t floor_ingest(
  struct floor_store *_Nonnull store, struct floor_rows rows, int64_t commit_size);
/// Replaces the payloads of all rows, in one transaction.
int64_t floor_update_items(struct floor_store *_Nonnull store, struct floor_rows rows);
/// Steps all whole rows in rank order and touches each column.
///
/// Returns how many there are.
int64_t floor_step_items(struct floor_store *_Nonnull store);

/// Makes the table of sizes alone, with so many rows.
int64_t floor_make_sizes(struct floor_store *_Nonnull store, int64_t count);
/// Updates the sizes of so many rows in one transaction.
int64_t floor_update_sizes(
  struct floor_store *_Nonnull store, const int64_t *_Nonnull ids, int64_t count, double height);

/// Chooses items of a store of Cellar, and finds the blocks whose sums they are part of; outside what is
/// measured.
int floor_choose_sizes(
  struct floor_store *_Nonnull store, const int64_t *_Nonnull items, int64_t count);
/// Writes the sizes of the chosen items, for the first key, and the sums, in one transaction.
int64_t floor_write_sizes(struct floor_store *_Nonnull store, double height);

/// A leaf of an order with its ancestors, as a store of Cellar has them.
struct floor_path {
  int64_t blocks[8];
  int64_t counts[8];
  int64_t parents[8];
  const char *_Nullable members[8];
  int lengths[8];
  int count;
};

/// Prepares the statements that write a commit of one insertion into a store of Cellar.
int floor_prepare_commits(struct floor_store *_Nonnull store);
/// Reads the path from the block of level 0 that an item is in; outside what is measured.
int floor_read_path(
  struct floor_store *_Nonnull store, int64_t item, struct floor_path *_Nonnull path);
void floor_free_path(struct floor_path *_Nonnull path);
/// Writes the rows of a commit of one insertion, in one transaction.
///
/// The block of level 0 gets one member more, the ones above what they have: as many bytes are written
/// as by Cellar. The store is no use afterwards.
int64_t floor_commit(
  struct floor_store *_Nonnull store, const struct floor_path *_Nonnull path,
  const char *_Nonnull key, int key_length, const char *_Nonnull payload, int payload_length);

/// From here on, transactions of all connections that are opened later are timed.
int floor_time_locks(void);
/// The longest time, in nanoseconds, from the end of `BEGIN IMMEDIATE` to the end of `COMMIT` since the
/// last call: so long a transaction kept other writers out. A checkpoint comes after it.
int64_t floor_longest_lock(void);

#endif
