// The floor of the local writes: one bare transaction for each change, with the same rows written as the store writes
// (the entity, its base image, the queue), prepared statements, synchronous = FULL. Nothing is checked.
// usage: writes create|update|delete FILE ROUNDS   prints seconds=… sum=… peak_kib=…
#include <sqlite3.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

static sqlite3 *database;

static void check(bool is_right, const char *what) {
  if (is_right) return;
  fprintf(stderr, "writes: %s: %s\n", what, database ? sqlite3_errmsg(database) : "");
  exit(1);
}

struct Statement {
  sqlite3_stmt *handle = nullptr;
  explicit Statement(const char *sql) {
    check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &handle, nullptr) == SQLITE_OK, sql);
  }
  Statement &bind(int index, int64_t value) {
    sqlite3_bind_int64(handle, index, value);
    return *this;
  }
  Statement &bind(int index, const std::string &text) {
    sqlite3_bind_text(handle, index, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    return *this;
  }
  void run() {
    const int code = sqlite3_step(handle);
    check(code == SQLITE_DONE || code == SQLITE_ROW, "step");
    sqlite3_reset(handle);
  }
  int64_t integer() {
    check(sqlite3_step(handle) == SQLITE_ROW, "no row");
    const int64_t value = sqlite3_column_int64(handle, 0);
    sqlite3_reset(handle);
    return value;
  }
};

// The queue: the request, its place, and the row it writes.
static void queue(const char *operation, int64_t row, const std::string *body, int64_t number) {
  static Statement insert(
      "INSERT INTO _odata_request (position, operation, \"table\", \"row\", is_contained, body, flags,"
      " repeatability_id, state, created_at) VALUES (0, ?, 'Orders', ?, 0, ?, 0, ?, 'waiting', ?)");
  static Statement place("UPDATE _odata_request SET position = id WHERE id = ?");
  static Statement written("INSERT OR IGNORE INTO _odata_request_row VALUES ('Orders', ?, ?)");
  char identity[40];
  snprintf(identity, sizeof identity, "%08llx-0000-4000-8000-000000000000", static_cast<unsigned long long>(number));
  insert.bind(1, std::string(operation)).bind(2, row).bind(4, std::string(identity)).bind(5, 1795244117118 + number);
  if (body)
    insert.bind(3, *body);
  else
    sqlite3_bind_null(insert.handle, 3);
  insert.run();
  const int64_t id = sqlite3_last_insert_rowid(database);
  place.bind(1, id).run();
  written.bind(1, row).bind(2, id).run();
}

static void create(int64_t number, int64_t) {
  static Statement next(
      "INSERT INTO _odata_meta (name, value) VALUES ('floor_row', 1)"
      " ON CONFLICT (name) DO UPDATE SET value = value + 1");
  static Statement insert(
      "INSERT INTO Orders (_odata_id, _odata_sources, _odata_state, _odata_control, ID, Number, Customer, City, Street,"
      " Category, Note, Price, Active, CustomerID) VALUES (?, 0, 9, ?, ?, ?, ?, 'Wien', ?, 'express',"
      " 'deliver before noon, keep upright', ?, 1, ?)");
  const std::string n = std::to_string(number), key = std::to_string(100000000 + number);
  const std::string link = "\"Orders(~local" + std::to_string(-1 - number) + ")\"";
  const std::string body = "{\"values\":{\"@type\":\"Bench.Order\",\"ID\":" + key + ",\"Number\":" + key +
                           ",\"Customer\":\"Customer " + n + "\",\"City\":\"Wien\",\"Street\":\"Hauptstraße am Markt " +
                           n + "\",\"Category\":\"express\",\"Note\":\"deliver before noon, keep upright\",\"Price\":" +
                           n + ",\"Active\":true,\"CustomerID\":" + std::to_string(number % 10000 + 1) + "}}";
  next.run();
  insert.bind(1, -1 - number)
      .bind(2, "{\"id\":" + link + ",\"readLink\":" + link + ",\"editLink\":" + link + "}")
      .bind(3, 100000000 + number)
      .bind(4, 100000000 + number)
      .bind(5, "Customer " + n)
      .bind(6, "Hauptstraße am Markt " + n)
      .bind(7, number * 100)
      .bind(8, number % 10000 + 1)
      .run();
  queue("create", -1 - number, &body, number);
}

static void keep_base(int64_t row) {
  static Statement base("INSERT INTO _odata_base_Orders SELECT *, 0, 1 FROM Orders WHERE _odata_id = ?");
  base.bind(1, row).run();
}

static int64_t row_of(int64_t number) {
  static Statement find("SELECT _odata_id FROM Orders WHERE ID = ?");
  return find.bind(1, number * 7 + 1).integer();
}

static void update(int64_t number, int64_t row) {
  static Statement change("UPDATE Orders SET Note = ?, Number = ?, _odata_state = 10 WHERE _odata_id = ?");
  const std::string note = "changed " + std::to_string(number);
  const std::string body = "{\"values\":{\"@type\":\"Bench.Order\",\"Number\":" + std::to_string(2000000 + number) +
                           ",\"Note\":\"" + note + "\"}}";
  keep_base(row);
  change.bind(1, note).bind(2, 2000000 + number).bind(3, row).run();
  queue("merge", row, &body, number);
}

static void hide(int64_t number, int64_t row) {
  static Statement change("UPDATE Orders SET _odata_state = 14 WHERE _odata_id = ?");
  keep_base(row);
  change.bind(1, row).run();
  queue("delete", row, nullptr, number);
}

/// User and system.
static double cpu_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval &time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

int main(int count, char **arguments) {
  check(count == 4, "usage: writes create|update|delete FILE ROUNDS");
  check(sqlite3_open_v2(arguments[2], &database, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK, "open");
  sqlite3_exec(database, "PRAGMA cache_size = -16384; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000",
               nullptr, nullptr, nullptr);
  void (*const change)(int64_t, int64_t) = strcmp(arguments[1], "create") == 0   ? create
                                  : strcmp(arguments[1], "update") == 0 ? update
                                                                        : hide;
  Statement begin("BEGIN IMMEDIATE"), commit("COMMIT");
  const long rounds = atol(arguments[3]), warm = rounds / 10;
  double seconds = 0, used = 0;
  for (long round = 0; round < rounds + warm; round += 1) {
    // The row is known: the app has read the entity before.
    const int64_t row = change == create ? 0 : row_of(round);
    const double cpu = cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    begin.run();
    change(round, row);
    commit.run();
    if (round < warm) continue;
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    used += cpu_seconds() - cpu;
  }
  Statement all("SELECT count(*) FROM Orders WHERE (_odata_state & 4) = 0");
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("seconds=%.9f cpu=%.9f sum=%lld peak_kib=%ld\n", seconds / static_cast<double>(rounds),
         used / static_cast<double>(rounds), static_cast<long long>(all.integer()), usage.ru_maxrss);
}
