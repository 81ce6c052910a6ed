// What a power failure leaves: what was synced, and any part of the rest.

#include "FaultScope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// A write, or a truncation where there are no bytes.
typedef struct {
  int64_t offset;
  int64_t count;
  uint8_t *bytes;
} Operation;

typedef struct {
  uint8_t *bytes;
  int64_t count;
} Content;

/// A file under any name it has.
struct RecordedFile {
  dev_t device;
  ino_t number;
  Content durable;
  Operation *operations;
  int operationCount;
  RecordedFile *next;
};

/// A name that came to lead to a file, or to none.
typedef struct {
  char *path;
  RecordedFile *file;
} Entry;

typedef struct {
  Entry *entries;
  int count;
} Entries;

struct Recorder {
  char *folder;
  int interval;
  uint64_t random;
  int64_t note;
  int64_t *cutNotes;
  int cutCount;
  RecordedFile *files;
  /// Which names lead where, as of the last sync of their folder.
  Entries durable;
  /// What became of names since, in order.
  Entries pending;
};

/// SplitMix64.
static uint64_t next(uint64_t *state) {
  uint64_t mixed = *state += 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

static int number(uint64_t *state, int below) { return (int)(next(state) % (uint64_t)below); }

Recorder *recorder_make(const char *folder, int interval, uint64_t seed) {
  Recorder *recorder = calloc(1, sizeof *recorder);
  recorder->folder = strdup(folder);
  recorder->interval = interval;
  recorder->random = seed;
  return recorder;
}

static void appendEntry(Entries *entries, const char *path, RecordedFile *file) {
  entries->entries = realloc(entries->entries, (size_t)(entries->count + 1) * sizeof(Entry));
  entries->entries[entries->count++] = (Entry){strdup(path), file};
}

/// Notes where a name leads from now on.
static void setEntry(Entries *entries, const char *path, RecordedFile *file) {
  for (int i = 0; i < entries->count; i++) {
    if (strcmp(entries->entries[i].path, path) == 0) {
      entries->entries[i].file = file;
      return;
    }
  }
  appendEntry(entries, path, file);
}

static void clearEntries(Entries *entries) {
  for (int i = 0; i < entries->count; i++) free(entries->entries[i].path);
  free(entries->entries);
  *entries = (Entries){NULL, 0};
}

void recorder_free(Recorder *recorder) {
  for (RecordedFile *file = recorder->files; file;) {
    RecordedFile *following = file->next;
    for (int i = 0; i < file->operationCount; i++) free(file->operations[i].bytes);
    free(file->operations);
    free(file->durable.bytes);
    free(file);
    file = following;
  }
  clearEntries(&recorder->durable);
  clearEntries(&recorder->pending);
  free(recorder->cutNotes);
  free(recorder->folder);
  free(recorder);
}

void recorder_note(Recorder *recorder, int64_t note) { recorder->note = note; }

int recorder_cuts(const Recorder *recorder) { return recorder->cutCount; }

int64_t recorder_cut_note(const Recorder *recorder, int cut) {
  return cut >= 0 && cut < recorder->cutCount ? recorder->cutNotes[cut] : 0;
}

// MARK: Content

/// Makes content larger or smaller; what is new is zero, or anything if `random` is given.
static void resize(Content *content, int64_t count, uint64_t *random) {
  if (count > content->count) {
    content->bytes = realloc(content->bytes, (size_t)count);
    for (int64_t i = content->count; i < count; i++) {
      content->bytes[i] = random ? (uint8_t)next(random) : 0;
    }
  }
  content->count = count;
}

static void apply(Content *content, const Operation *operation, uint64_t *random) {
  if (!operation->bytes) return resize(content, operation->offset, random);
  int64_t end = operation->offset + operation->count;
  if (end > content->count) resize(content, end, random);
  memcpy(content->bytes + operation->offset, operation->bytes, (size_t)operation->count);
}

/// Applies those sectors of a write that chance takes.
static void applyTorn(
    Content *content, const Operation *operation, uint64_t *state, uint64_t *garbage) {
  const int64_t sector = 512;
  int64_t end = operation->offset + operation->count;
  for (int64_t from = operation->offset; from < end;) {
    int64_t to = (from / sector + 1) * sector;
    if (to > end) to = end;
    if (number(state, 2)) {
      Operation part = {from, to - from, operation->bytes + (from - operation->offset)};
      apply(content, &part, garbage);
    }
    from = to;
  }
}

/// What the disk may have of a file.
static Content contentAfterCut(const RecordedFile *file, uint64_t *state) {
  Content content = {malloc((size_t)file->durable.count + 1), file->durable.count};
  memcpy(content.bytes, file->durable.bytes ? file->durable.bytes : (uint8_t *)"",
         (size_t)file->durable.count);
  uint64_t seed = next(state);
  uint64_t *garbage = number(state, 2) ? &seed : NULL;
  int way = number(state, 4);
  int first = way == 2 && file->operationCount > 0 ? number(state, file->operationCount) : 0;
  for (int i = 0; i < file->operationCount; i++) {
    const Operation *operation = &file->operations[i];
    bool isKept = way == 1 || (way == 2 && i < first) || (way == 3 && number(state, 2));
    bool isTorn = operation->bytes
                  && ((way == 2 && i == first) || (way == 3 && number(state, 4) == 0));
    if (isTorn) {
      applyTorn(&content, operation, state, garbage);
    } else if (isKept) {
      apply(&content, operation, garbage);
    } else if (way == 3 && operation->bytes && number(state, 4) == 0) {
      // The file grew, its bytes did not come.
      int64_t end = operation->offset + operation->count;
      if (end > content.count) resize(&content, end, garbage);
    }
  }
  return content;
}

// MARK: A power failure

static void writeFile(const char *folder, const char *path, const Content *content) {
  const char *slash = strrchr(path, '/');
  char target[4096];
  snprintf(target, sizeof target, "%s/%s", folder, slash ? slash + 1 : path);
  FILE *file = fopen(target, "wb");
  if (!file) return;
  if (content->count > 0) (void)fwrite(content->bytes, 1, (size_t)content->count, file);
  fclose(file);
}

static void cut(Recorder *recorder) {
  char folder[4096];
  snprintf(folder, sizeof folder, "%s/%d", recorder->folder, recorder->cutCount);
  if (mkdir(folder, 0700) != 0) return;
  recorder->cutNotes =
      realloc(recorder->cutNotes, (size_t)(recorder->cutCount + 1) * sizeof(int64_t));
  recorder->cutNotes[recorder->cutCount++] = recorder->note;

  Entries names = {NULL, 0};
  for (int i = 0; i < recorder->durable.count; i++) {
    setEntry(&names, recorder->durable.entries[i].path, recorder->durable.entries[i].file);
  }
  int kept = number(&recorder->random, recorder->pending.count + 1);
  for (int i = 0; i < kept; i++) {
    setEntry(&names, recorder->pending.entries[i].path, recorder->pending.entries[i].file);
  }
  for (int i = 0; i < names.count; i++) {
    if (!names.entries[i].file) continue;
    Content content = contentAfterCut(names.entries[i].file, &recorder->random);
    writeFile(folder, names.entries[i].path, &content);
    free(content.bytes);
  }
  clearEntries(&names);
}

/// Before each call that changes something.
static void cutNowAndThen(Recorder *recorder) {
  if (recorder->interval > 0 && number(&recorder->random, recorder->interval) == 0) cut(recorder);
}

int recorder_cut(Recorder *recorder) {
  cut(recorder);
  return recorder->cutCount - 1;
}

// MARK: What SQLite does

/// The file where a name leads now; NULL if nothing is known of it.
static RecordedFile *current(const Recorder *recorder, const char *path, bool *isKnown) {
  const Entries *all[2] = {&recorder->pending, &recorder->durable};
  for (int which = 0; which < 2; which++) {
    for (int i = all[which]->count - 1; i >= 0; i--) {
      if (strcmp(all[which]->entries[i].path, path) == 0) {
        *isKnown = true;
        return all[which]->entries[i].file;
      }
    }
  }
  *isKnown = false;
  return NULL;
}

static Content contentOnDisk(const char *path) {
  Content content = {NULL, 0};
  struct stat status;
  FILE *file = fopen(path, "rb");
  if (!file) return content;
  if (fstat(fileno(file), &status) == 0 && status.st_size > 0) {
    content.bytes = malloc((size_t)status.st_size);
    content.count = (int64_t)fread(content.bytes, 1, (size_t)status.st_size, file);
  }
  fclose(file);
  return content;
}

RecordedFile *recorder_open(Recorder *recorder, const char *path, bool isNew) {
  struct stat status;
  if (stat(path, &status) != 0) return NULL;
  RecordedFile *file = recorder->files;
  while (file && (file->device != status.st_dev || file->number != status.st_ino)) {
    file = file->next;
  }
  bool isFirst = file == NULL;
  if (isNew || isFirst) {
    // Of a deleted file, the system uses the number again: not the same file then.
    if (file) file->number = 0;
    file = calloc(1, sizeof *file);
    file->device = status.st_dev;
    file->number = status.st_ino;
    file->next = recorder->files;
    recorder->files = file;
  }
  bool isKnown;
  if (current(recorder, path, &isKnown) == file && isKnown) return file;
  if (isFirst && !isNew) {
    // It was there before all this.
    file->durable = contentOnDisk(path);
    setEntry(&recorder->durable, path, file);
  } else {
    // Made by SQLite, or another name for a file, given by a link.
    cutNowAndThen(recorder);
    appendEntry(&recorder->pending, path, file);
  }
  return file;
}

static void append(RecordedFile *file, Operation operation) {
  file->operations =
      realloc(file->operations, (size_t)(file->operationCount + 1) * sizeof(Operation));
  file->operations[file->operationCount++] = operation;
}

void recorder_write(
    Recorder *recorder, RecordedFile *file, const void *bytes, int count, int64_t offset) {
  cutNowAndThen(recorder);
  uint8_t *copy = malloc((size_t)count + 1);
  memcpy(copy, bytes, (size_t)count);
  append(file, (Operation){offset, count, copy});
}

void recorder_truncate(Recorder *recorder, RecordedFile *file, int64_t size) {
  cutNowAndThen(recorder);
  append(file, (Operation){size, 0, NULL});
}

static void syncFolder(Recorder *recorder) {
  for (int i = 0; i < recorder->pending.count; i++) {
    setEntry(&recorder->durable, recorder->pending.entries[i].path,
             recorder->pending.entries[i].file);
  }
  clearEntries(&recorder->pending);
}

void recorder_sync(Recorder *recorder, RecordedFile *file, bool isFolderSynced) {
  cutNowAndThen(recorder);
  for (int i = 0; i < file->operationCount; i++) {
    apply(&file->durable, &file->operations[i], NULL);
    free(file->operations[i].bytes);
  }
  file->operationCount = 0;
  if (isFolderSynced) syncFolder(recorder);
}

void recorder_delete(Recorder *recorder, const char *path, bool isFolderSynced) {
  cutNowAndThen(recorder);
  bool isKnown;
  if (current(recorder, path, &isKnown) || isKnown) {
    appendEntry(&recorder->pending, path, NULL);
  }
  if (isFolderSynced) syncFolder(recorder);
}
