// The floor of an upload: the creations of a queue sent over one connection with libcurl, in batches of 200 or one by one,
// each sending noted durably before it leaves and taken out of the queue durably when its answer is there. Nothing is checked
// but that the service took it.
// usage: uploader batches|singles SERVICE_URL FILE COUNT   makes FILE with COUNT creations, prints seconds=… cpu=… peak_kib=…
#include <curl/curl.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

static sqlite3 *database;

static void check(bool is_right, const char *what) {
  if (is_right) return;
  fprintf(stderr, "uploader: %s: %s\n", what, database ? sqlite3_errmsg(database) : "");
  exit(1);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement = nullptr;
  check(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) == SQLITE_OK, sql);
  return statement;
}

static void run(sqlite3_stmt *statement, long value = 0) {
  if (sqlite3_bind_parameter_count(statement) == 1) sqlite3_bind_int64(statement, 1, value);
  const int code = sqlite3_step(statement);
  check(code == SQLITE_DONE || code == SQLITE_ROW, "step");
  sqlite3_reset(statement);
}

static void fill(long count) {
  sqlite3_exec(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE queue (id INTEGER PRIMARY KEY,"
               " body TEXT, state INTEGER NOT NULL DEFAULT 0); BEGIN", nullptr, nullptr, nullptr);
  sqlite3_stmt *insert = prepare("INSERT INTO queue (body) VALUES (?)");
  for (long number = 0; number < count; number += 1) {
    const std::string n = std::to_string(number), key = std::to_string(100000000 + number);
    const std::string body = "{\"ID\":" + key + ",\"Number\":" + key + ",\"Customer\":\"Customer " + n +
        "\",\"City\":\"Wien\",\"Street\":\"Hauptstra\u00dfe am Markt " + n + "\",\"Category\":\"express\",\"Note\":"
        "\"deliver before noon, keep upright\",\"Price\":" + n + ",\"Active\":true,\"CustomerID\":" +
        std::to_string(number % 10000 + 1) + "}";
    sqlite3_bind_text(insert, 1, body.data(), static_cast<int>(body.size()), SQLITE_TRANSIENT);
    run(insert);
  }
  sqlite3_finalize(insert);
  sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr);
}

static size_t take(char *bytes, size_t size, size_t count, void *body) {
  static_cast<std::string *>(body)->append(bytes, size * count);
  return size * count;
}

static void send(CURL *curl, const std::string &url, const std::string &body, curl_slist *headers, long wanted) {
  std::string answer;
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data());
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
  long status = 0;
  check(curl_easy_perform(curl) == CURLE_OK && curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK &&
            status == wanted, "send");
}

static double cpu_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

int main(int count, char **arguments) {
  check(count == 5, "usage: uploader batches|singles SERVICE_URL FILE COUNT");
  const bool is_batched = std::string(arguments[1]) == "batches";
  const std::string root = arguments[2];
  for (const char *suffix : {"", "-wal", "-shm"}) remove((std::string(arguments[3]) + suffix).c_str());
  check(sqlite3_open(arguments[3], &database) == SQLITE_OK, "open");
  fill(atol(arguments[4]));
  CURL *curl = curl_easy_init();
  check(curl != nullptr, "curl");
  curl_slist *single = curl_slist_append(nullptr, "Content-Type: application/json");
  curl_slist *batch = curl_slist_append(nullptr, "Content-Type: multipart/mixed; boundary=floor");
  sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE"), *commit = prepare("COMMIT");
  sqlite3_stmt *next = prepare(is_batched ? "SELECT id, body FROM queue WHERE state = 0 ORDER BY id LIMIT 200"
                                          : "SELECT id, body FROM queue WHERE state = 0 ORDER BY id LIMIT 1");
  sqlite3_stmt *note = prepare("UPDATE queue SET state = 1 WHERE id = ?"), *gone = prepare("DELETE FROM queue WHERE id = ?");
  const auto start = std::chrono::steady_clock::now();
  const double cpu = cpu_seconds();
  while (true) {
    std::vector<long> ids;
    std::string body;
    run(begin);
    while (sqlite3_step(next) == SQLITE_ROW) {
      ids.push_back(sqlite3_column_int64(next, 0));
      const std::string text(reinterpret_cast<const char *>(sqlite3_column_text(next, 1)),
                             static_cast<size_t>(sqlite3_column_bytes(next, 1)));
      if (is_batched)
        body += "--floor\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\nContent-ID: " +
                std::to_string(ids.size()) + "\r\n\r\nPOST Orders HTTP/1.1\r\nContent-Type: application/json\r\n"
                "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text + "\r\n";
      else
        body = text;
    }
    sqlite3_reset(next);
    for (const long id : ids) run(note, id);
    run(commit);
    if (ids.empty()) break;
    if (is_batched) send(curl, root + "$batch", body + "--floor--\r\n", batch, 200);
    else send(curl, root + "Orders", body, single, 204);
    run(begin);
    for (const long id : ids) run(gone, id);
    run(commit);
  }
  const double used = cpu_seconds() - cpu;
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("seconds=%.9f cpu=%.9f peak_kib=%ld\n", wall, used, usage.ru_maxrss);
}
