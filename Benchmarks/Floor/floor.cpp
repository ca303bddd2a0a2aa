// The floor of the first-sync benchmark: what the same work costs in C++ with libcurl, simdjson and prepared inserts,
// on one thread, into a table of the same columns and indexes with the same pragmas.
// usage: floor SERVICE_URL FILE [PRAGMA…]   prints seconds=… rows=… peak_kib=…
#include <curl/curl.h>
#include <simdjson.h>
#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>

using namespace simdjson;

static sqlite3 *database;
static sqlite3_stmt *insert_row;

static void check(bool is_right, const char *what) {
  if (is_right) return;
  fprintf(stderr, "floor: %s: %s\n", what, database ? sqlite3_errmsg(database) : "");
  exit(1);
}

static void run(const std::string &sql) {
  check(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK, sql.c_str());
}

static size_t take(char *bytes, size_t size, size_t count, void *body) {
  static_cast<std::string *>(body)->append(bytes, size * count);
  return size * count;
}

static void bind_text(int index, std::string_view text) {
  sqlite3_bind_text(insert_row, index, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

// The number's digits as value * 10^scale.
static int64_t scaled(std::string_view text, int scale) {
  int64_t value = 0;
  int places = -1;
  bool is_negative = false;
  for (const char byte : text) {
    if (byte == '-') is_negative = true;
    else if (byte == '.') places = 0;
    else if (byte >= '0' && byte <= '9') {
      value = value * 10 + (byte - '0');
      if (places >= 0) places += 1;
    } else break;
  }
  for (int index = places < 0 ? 0 : places; index < scale; index += 1) value *= 10;
  return is_negative ? -value : value;
}

// The instant without Z and without trailing zeros of the fraction.
static std::string_view instant(std::string_view text) {
  text.remove_suffix(1);
  if (text.size() > 19) {
    while (text.back() == '0') text.remove_suffix(1);
    if (text.back() == '.') text.remove_suffix(1);
  }
  return text;
}

static void store_row(ondemand::object row) {
  bind_text(1, row.find_field("@odata.etag").get_string());
  sqlite3_bind_int64(insert_row, 2, row.find_field("ID").get_int64());
  bind_text(3, row.find_field("Customer").get_string());
  bind_text(4, row.find_field("City").get_string());
  bind_text(5, row.find_field("Street").get_string());
  bind_text(6, row.find_field("Category").get_string());
  bind_text(7, row.find_field("Email").get_string());
  ondemand::value note = row.find_field("Note");
  if (note.is_null()) sqlite3_bind_null(insert_row, 8);
  else bind_text(8, note.get_string());
  sqlite3_bind_int64(insert_row, 9, scaled(row.find_field("Price").raw_json_token(), 2));
  sqlite3_bind_int64(insert_row, 10, scaled(row.find_field("Tax").raw_json_token(), 2));
  sqlite3_bind_int64(insert_row, 11, scaled(row.find_field("Weight").raw_json_token(), 3));
  bind_text(12, instant(row.find_field("CreatedAt").get_string()));
  bind_text(13, row.find_field("DueDate").get_string());
  sqlite3_bind_int64(insert_row, 14, row.find_field("Active").get_bool() ? 1 : 0);
  sqlite3_bind_int64(insert_row, 15, row.find_field("CustomerID").get_int64());
  check(sqlite3_step(insert_row) == SQLITE_DONE, "insert");
  sqlite3_reset(insert_row);
}

static void open_store(const std::string &file, int count, char **pragmas) {
  for (const char *suffix : {"", "-wal", "-shm"}) unlink((file + suffix).c_str());
  check(sqlite3_open_v2(file.c_str(), &database,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr) == SQLITE_OK, "open");
  run("PRAGMA journal_mode = WAL");
  for (int index = 0; index < count; index += 1) run(std::string("PRAGMA ") + pragmas[index]);
  run("CREATE TABLE \"Orders\" (\"_odata_id\" INTEGER PRIMARY KEY, \"_odata_etag\" TEXT,"
      " \"_odata_sources\" INTEGER NOT NULL DEFAULT 0, \"_odata_state\" INTEGER NOT NULL DEFAULT 0,"
      " \"_odata_control\" TEXT, \"ID\" INTEGER, \"Customer\" TEXT, \"City\" TEXT, \"Street\" TEXT, \"Category\" TEXT,"
      " \"Email\" TEXT, \"Note\" TEXT, \"Price\" INTEGER, \"Tax\" INTEGER, \"Weight\" INTEGER, \"CreatedAt\" TEXT,"
      " \"CreatedAt#offset\" INTEGER, \"DueDate\" TEXT, \"Active\" INTEGER, \"CustomerID\" INTEGER)");
  run("CREATE UNIQUE INDEX \"_odata_key_Orders\" ON \"Orders\" (\"ID\")");
  const char *sql = "INSERT INTO \"Orders\" (\"_odata_etag\", \"ID\", \"Customer\", \"City\", \"Street\", \"Category\","
                    " \"Email\", \"Note\", \"Price\", \"Tax\", \"Weight\", \"CreatedAt\", \"DueDate\", \"Active\","
                    " \"CustomerID\") VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15)";
  check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &insert_row, nullptr) == SQLITE_OK, "prepare");
}

static long peak_kib() {
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  long kib = 0;
  while (status && fgets(line, sizeof line, status)) sscanf(line, "VmHWM: %ld", &kib);
  if (status) fclose(status);
  return kib;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: floor SERVICE_URL FILE [PRAGMA...]\n");
    return 2;
  }
  const auto start = std::chrono::steady_clock::now();
  open_store(arguments[2], count - 3, arguments + 3);
  CURL *curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
  ondemand::parser parser;
  std::string body, next = std::string(arguments[1]) + "Orders";
  long rows = 0;
  while (!next.empty()) {
    body.clear();
    curl_easy_setopt(curl, CURLOPT_URL, next.c_str());
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
    check(curl_easy_perform(curl) == CURLE_OK, "fetch");
    body.reserve(body.size() + SIMDJSON_PADDING);
    try {
      ondemand::document page = parser.iterate(body.data(), body.size(), body.capacity());
      run("BEGIN");
      ondemand::object object = page.get_object();
      for (ondemand::object row : object.find_field("value").get_array()) {
        store_row(row);
        rows += 1;
      }
      run("COMMIT");
      std::string_view link;
      next = object.find_field("@odata.nextLink").get(link) == SUCCESS ? std::string(link) : std::string();
    } catch (const simdjson_error &error) {
      fprintf(stderr, "floor: %s\n", error.what());
      return 1;
    }
  }
  run("CREATE INDEX \"_odata_index_Orders_CustomerID\" ON \"Orders\" (\"CustomerID\")");
  sqlite3_finalize(insert_row);
  curl_easy_cleanup(curl);
  check(sqlite3_close(database) == SQLITE_OK, "close");
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  printf("seconds=%.4f cpu=%.4f rows=%ld peak_kib=%ld\n", seconds.count(), static_cast<double>(clock()) / CLOCKS_PER_SEC, rows,
         peak_kib());
  return 0;
}
