// Loaded before SQLite: how long the write transactions of the process take, from the statement that takes the write lock
// to the end of the one that gives it back. Writes the figures of the process to the file in ODATA_BENCH_LONGEST.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAXIMUM = 16 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  sqlite3 *connection;
  double start;
  int builds_index;
} writers[MAXIMUM];
static double longest, longest_index;
static long count;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void note(sqlite3 *connection, double start, int is_writing, int builds_index) {
  pthread_mutex_lock(&lock);
  int index = 0;
  while (index < MAXIMUM && writers[index].connection != connection) index += 1;
  if (index == MAXIMUM && is_writing) {
    for (index = 0; index < MAXIMUM && writers[index].connection; index += 1) {}
    if (index < MAXIMUM) {
      writers[index].connection = connection;
      writers[index].start = start;
      writers[index].builds_index = 0;
    }
  }
  if (index < MAXIMUM) {
    writers[index].builds_index |= builds_index;
    if (!is_writing) {
      const double seconds = now() - writers[index].start;
      double *figure = writers[index].builds_index ? &longest_index : &longest;
      if (seconds > *figure) *figure = seconds;
      count += 1;
      writers[index].connection = NULL;
    }
  }
  pthread_mutex_unlock(&lock);
}

int sqlite3_step(sqlite3_stmt *statement) {
  static int (*step)(sqlite3_stmt *);
  if (!step) step = (int (*)(sqlite3_stmt *))dlsym(RTLD_NEXT, "sqlite3_step");
  sqlite3 *connection = sqlite3_db_handle(statement);
  const int was_writing = sqlite3_txn_state(connection, "main") == SQLITE_TXN_WRITE;
  const char *text = sqlite3_sql(statement);
  // A statement outside of a transaction is one of its own.
  const int is_alone = sqlite3_get_autocommit(connection) && !sqlite3_stmt_readonly(statement);
  const double start = was_writing ? 0 : now();
  const int code = step(statement);
  const int is_writing = sqlite3_txn_state(connection, "main") == SQLITE_TXN_WRITE;
  const int builds_index = text && (strstr(text, "CREATE INDEX") || strstr(text, "CREATE UNIQUE INDEX"));
  if (is_writing || was_writing || (is_alone && code == SQLITE_DONE)) {
    if (!was_writing && !is_writing) note(connection, start, 1, builds_index);
    note(connection, start, is_writing, builds_index);
  }
  return code;
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("ODATA_BENCH_LONGEST");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "seconds=%.6f index=%.6f count=%ld\n", longest, longest_index, count);
  fclose(file);
}
