// The floor of the companion service: the same statements on the same tracked database and the same JSON, written by hand.
// No URL is parsed, nothing is checked, nobody is authorised.
// usage: server FILE   FILE: made by servers.py and opened by the companion service before. Prints the port it listens on, then
// serves until its standard input ends: /point/KEY, /page/KEY, /filter/NUMBER, /delta/SEQUENCE; POST /insert and /batch.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sqlite3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static const char *file;
static std::string base;
static std::mutex writing;

#define ROW "o.ID, o.Number, o.Customer, o.City, o.Street, o.Category, o.Note, o.Price, o.Active, o.CustomerID, coalesce((SELECT" \
            " sequence FROM _odata_versions WHERE table_name = 'Orders' AND key = quote(o.ID)), 0) FROM Orders o"

static void check(bool is_right, sqlite3 *database) {
  if (is_right) return;
  fprintf(stderr, "server: %s\n", sqlite3_errmsg(database));
  exit(1);
}

struct Store {
  sqlite3 *database = nullptr;
  sqlite3_stmt *point, *page, *filter, *delta, *insert, *begin, *commit;

  Store() {
    check(sqlite3_open(file, &database) == SQLITE_OK, database);
    sqlite3_busy_timeout(database, 10000);
    sqlite3_exec(database, "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384", nullptr, nullptr, nullptr);
    point = prepared("SELECT " ROW " WHERE o.ID = ?");
    page = prepared("SELECT " ROW " WHERE o.ID >= ? ORDER BY o.ID LIMIT 1000");
    filter = prepared("SELECT " ROW " WHERE o.Street = ? ORDER BY o.ID LIMIT 1000");
    // From the changed keys to the rows, as the service goes.
    delta = prepared("SELECT " ROW " WHERE o.ID IN (SELECT CAST(key AS INTEGER) FROM _odata_changes WHERE table_name = 'Orders'"
                     " AND sequence > ?) LIMIT 1000");
    insert = prepared("INSERT INTO Orders (ID, Number, Customer, City, Street) VALUES (?, ?, ?, ?, ?)");
    begin = prepared("BEGIN IMMEDIATE");
    commit = prepared("COMMIT");
  }

  ~Store() {
    for (sqlite3_stmt *statement : {point, page, filter, delta, insert, begin, commit}) sqlite3_finalize(statement);
    sqlite3_close(database);
  }

  sqlite3_stmt *prepared(const char *sql) {
    sqlite3_stmt *statement = nullptr;
    check(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) == SQLITE_OK, database);
    return statement;
  }

  void run(sqlite3_stmt *statement) {
    const int code = sqlite3_step(statement);
    check(code == SQLITE_DONE || code == SQLITE_ROW, database);
    sqlite3_reset(statement);
  }
};

static void append_text(std::string &out, const char *text, int length) {
  out += '"';
  for (int index = 0; index < length; index += 1) {
    const char letter = text[index];
    if (letter == '"' || letter == '\\') out += '\\';
    if (static_cast<unsigned char>(letter) >= 0x20) out += letter;
  }
  out += '"';
}

static void append_row(std::string &out, sqlite3_stmt *row) {
  static const char *const names[] = {"ID", "Number", "Customer", "City", "Street", "Category", "Note", "Price", "Active",
                                      "CustomerID"};
  out += "\"@odata.etag\":\"W/\\\"" + std::to_string(sqlite3_column_int64(row, 10)) + "\\\"\"";
  for (int column = 0; column < 10; column += 1) {
    out += ",\"";
    out += names[column];
    out += "\":";
    char number[40];
    switch (sqlite3_column_type(row, column)) {
      case SQLITE_INTEGER: out += std::to_string(sqlite3_column_int64(row, column)); break;
      case SQLITE_FLOAT:
        snprintf(number, sizeof number, "%.15g", sqlite3_column_double(row, column));
        out += number;
        break;
      case SQLITE_TEXT:
        append_text(out, reinterpret_cast<const char *>(sqlite3_column_text(row, column)), sqlite3_column_bytes(row, column));
        break;
      default: out += "null";
    }
  }
}

static std::string rows(sqlite3_stmt *statement) {
  std::string out = "{\"@odata.context\":\"" + base + "$metadata#Orders\",\"value\":[";
  bool is_first = true;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    out += is_first ? "{" : ",{";
    is_first = false;
    append_row(out, statement);
    out += '}';
  }
  sqlite3_reset(statement);
  return out + "]}";
}

static std::string read(Store &store, const std::string &path, const char *value) {
  sqlite3_stmt *statement = path == "page" ? store.page : path == "filter" ? store.filter : path == "delta" ? store.delta
                                                                                                             : store.point;
  if (path == "filter") {
    const std::string street = "Hauptstra\u00dfe am Markt " + std::to_string(atol(value) % 200);
    sqlite3_bind_text(statement, 1, street.data(), static_cast<int>(street.size()), SQLITE_TRANSIENT);
  } else {
    sqlite3_bind_int64(statement, 1, atol(value));
  }
  if (path != "point") return rows(statement);
  std::string out = "{\"@odata.context\":\"" + base + "$metadata#Orders/$entity\",";
  if (sqlite3_step(statement) == SQLITE_ROW) append_row(out, statement);
  sqlite3_reset(statement);
  return out + "}";
}

// Inserts the object that begins at `from`, and gives it back as the service answers.
static std::string insert(Store &store, const std::string &body, size_t from) {
  const auto number = [&](const char *name) { return atol(body.c_str() + body.find(name, from) + strlen(name)); };
  const auto text = [&](const char *name) {
    const size_t start = body.find(name, from) + strlen(name) + 1;
    return body.substr(start, body.find('"', start) - start);
  };
  const long id = number("\"ID\":");
  sqlite3_bind_int64(store.insert, 1, id);
  sqlite3_bind_int64(store.insert, 2, number("\"Number\":"));
  int place = 3;
  for (const char *name : {"\"Customer\":", "\"City\":", "\"Street\":"}) {
    const std::string value = text(name);
    sqlite3_bind_text(store.insert, place++, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  }
  store.run(store.insert);
  return read(store, "point", std::to_string(id).c_str());
}

static std::string change(Store &store, const std::string &path, const std::string &body) {
  const std::lock_guard<std::mutex> guard(writing);
  store.run(store.begin);
  std::string out;
  if (path == "insert") {
    out = insert(store, body, 0);
  } else {
    for (size_t at = body.find("{\"ID\""); at != std::string::npos; at = body.find("{\"ID\"", at + 1)) {
      const std::string row = insert(store, body, at);
      out += "--answer\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\nContent-ID: 1\r\n\r\n"
             "HTTP/1.1 201 Created\r\nContent-Type: application/json;odata.metadata=minimal\r\nContent-Length: " +
             std::to_string(row.size()) + "\r\n\r\n" + row + "\r\n";
    }
    out += "--answer--\r\n";
  }
  store.run(store.commit);
  return out;
}

static void serve(int socket) {
  Store store;
  std::string input;
  std::vector<char> buffer(1 << 16);
  while (true) {
    const ssize_t count = recv(socket, buffer.data(), buffer.size(), 0);
    if (count <= 0) break;
    input.append(buffer.data(), static_cast<size_t>(count));
    size_t end;
    while ((end = input.find("\r\n\r\n")) != std::string::npos) {
      const size_t announced = input.find("Content-Length: ");
      const size_t length = announced < end ? strtoul(input.c_str() + announced + 16, nullptr, 10) : 0;
      if (input.size() < end + 4 + length) break;
      const size_t space = input.find(' '), slash = input.find('/', space + 2);
      const size_t stop = input.find(' ', space + 1);
      const bool is_read = input.compare(0, 3, "GET") == 0;
      const std::string path = input.substr(space + 2, (is_read ? slash : stop) - space - 2);
      const std::string out = is_read ? read(store, path, input.c_str() + slash + 1)
                                      : change(store, path, input.substr(end + 4, length));
      const std::string text = std::string("HTTP/1.1 ") + (is_read || path == "batch" ? "200 OK" : "201 Created") +
          "\r\nOData-Version: 4.0\r\nContent-Type: application/json;odata.metadata=minimal\r\nContent-Length: " +
          std::to_string(out.size()) + "\r\n\r\n" + out;
      for (size_t done = 0; done < text.size();) {
        const ssize_t sent = send(socket, text.data() + done, text.size() - done, MSG_NOSIGNAL);
        if (sent <= 0) break;
        done += static_cast<size_t>(sent);
      }
      input.erase(0, end + 4 + length);
    }
  }
  close(socket);
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  file = arguments[1];
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0 || listen(listener, 128) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr *>(&address), &length) != 0) {
    perror("server");
    return 1;
  }
  base = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  std::thread([] {
    char byte;
    while (::read(0, &byte, 1) > 0) {}
    _exit(0);
  }).detach();
  while (true) {
    const int socket = accept(listener, nullptr, nullptr);
    if (socket < 0) continue;
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    std::thread(serve, socket).detach();
  }
}
