// The floor of the local reads: hand-written SQL on SQLite's own handle, one prepared statement per query, kept, each
// run a transaction of its own; rows are kept as structs, as an app that shows them would.
// usage: reads KIND FILE ROUNDS BOUND   prints seconds=… sum=… peak_kib=…
// KIND: point page expand filter toone any count; all leave out what was deleted here, as every query of the store must.
// Runs on a thread of its own, as an app's queries do: there the allocator takes its memory in other steps.
#include <sqlite3.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Order {
  int64_t id, number, price, tax, weight, customer;
  bool is_active;
  std::string name, city, street, category, note, created, due;
};

struct Customer {
  int64_t id;
  std::string name, city;
};

static sqlite3 *database;

static void check(bool is_right, const char *what) {
  if (is_right) return;
  fprintf(stderr, "reads: %s: %s\n", what, database ? sqlite3_errmsg(database) : "");
  exit(1);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement = nullptr;
  check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) == SQLITE_OK, sql);
  return statement;
}

static std::string text(sqlite3_stmt *row, int column) {
  const auto *start = reinterpret_cast<const char *>(sqlite3_column_text(row, column));
  return start ? std::string(start, static_cast<size_t>(sqlite3_column_bytes(row, column))) : std::string();
}

static Order order(sqlite3_stmt *row) {
  Order order;
  order.id = sqlite3_column_int64(row, 0);
  order.number = sqlite3_column_int64(row, 1);
  order.name = text(row, 2);
  order.city = text(row, 3);
  order.street = text(row, 4);
  order.category = text(row, 5);
  order.note = text(row, 6);
  order.price = sqlite3_column_int64(row, 7);
  order.tax = sqlite3_column_int64(row, 8);
  order.weight = sqlite3_column_int64(row, 9);
  order.created = text(row, 10);
  order.due = text(row, 11);
  order.is_active = sqlite3_column_int64(row, 12) != 0;
  order.customer = sqlite3_column_int64(row, 13);
  return order;
}

static int64_t length(const std::string &text) { return static_cast<int64_t>(text.size()); }

static int64_t sum(const Order &order) {
  const int64_t values = 3 + (order.created.empty() ? 0 : 1) + (order.due.empty() ? 0 : 1) + (order.is_active ? 1 : 0);
  return order.id + order.number + order.customer + length(order.name) + length(order.city) + length(order.street) +
         length(order.category) + length(order.note) + values;
}

#define ORDER_COLUMNS(T)                                                                                             \
  T "ID," T "Number," T "Customer," T "City," T "Street," T "Category," T "Note," T "Price," T "Tax," T "Weight," T \
    "CreatedAt," T "DueDate," T "Active," T "CustomerID"

static std::vector<Order> orders(sqlite3_stmt *statement) {
  std::vector<Order> rows;
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) rows.push_back(order(statement));
  check(code == SQLITE_DONE, "step");
  sqlite3_reset(statement);
  return rows;
}

static int64_t point(int64_t id) {
  static sqlite3_stmt *const statement = prepare("SELECT " ORDER_COLUMNS("") " FROM Orders WHERE (_odata_state & 4) = 0 AND ID = ?");
  sqlite3_bind_int64(statement, 1, id);
  check(sqlite3_step(statement) == SQLITE_ROW, "no row");
  const Order row = order(statement);
  sqlite3_reset(statement);
  return sum(row);
}

static int64_t page(int64_t start) {
  static sqlite3_stmt *const statement =
      prepare("SELECT " ORDER_COLUMNS("") " FROM Orders WHERE (_odata_state & 4) = 0 AND Number >= ? ORDER BY Number LIMIT 100");
  sqlite3_bind_int64(statement, 1, start);
  int64_t total = 0;
  for (const Order &row : orders(statement)) total += sum(row);
  return total;
}

static int64_t expand(int64_t start) {
  static sqlite3_stmt *const parents =
      prepare("SELECT ID, Name, City FROM Customers WHERE (_odata_state & 4) = 0 AND ID >= ? ORDER BY ID LIMIT 100");
  static sqlite3_stmt *const children =
      prepare("SELECT " ORDER_COLUMNS("o.") " FROM Customers c JOIN Orders o ON o.CustomerID = c.ID"
              " WHERE (o._odata_state & 4) = 0 AND c.ID BETWEEN ? AND ? ORDER BY c.ID");
  sqlite3_bind_int64(parents, 1, start);
  std::vector<Customer> customers;
  while (sqlite3_step(parents) == SQLITE_ROW)
    customers.push_back({sqlite3_column_int64(parents, 0), text(parents, 1), text(parents, 2)});
  sqlite3_reset(parents);
  check(!customers.empty(), "no parents");
  sqlite3_bind_int64(children, 1, customers.front().id);
  sqlite3_bind_int64(children, 2, customers.back().id);
  int64_t total = 0;
  for (const Customer &row : customers) total += row.id + length(row.name) + length(row.city);
  for (const Order &row : orders(children)) total += sum(row);
  return total;
}

static std::vector<Customer> customers(sqlite3_stmt *statement, int first) {
  std::vector<Customer> rows;
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW)
    rows.push_back({sqlite3_column_int64(statement, first), text(statement, first + 1), text(statement, first + 2)});
  check(code == SQLITE_DONE, "step");
  sqlite3_reset(statement);
  return rows;
}

static int64_t filter(int64_t start) {
  static sqlite3_stmt *const statement =
      prepare("SELECT " ORDER_COLUMNS("") " FROM Orders WHERE (_odata_state & 4) = 0 AND Street = ?");
  const std::string street = "Hauptstraße am Markt " + std::to_string(start % 200);
  sqlite3_bind_text(statement, 1, street.data(), static_cast<int>(street.size()), SQLITE_STATIC);
  int64_t total = 0;
  for (const Order &row : orders(statement)) total += sum(row);
  return total;
}

static int64_t to_one(int64_t start) {
  static sqlite3_stmt *const statement =
      prepare("SELECT " ORDER_COLUMNS("o.") ", c.ID, c.Name, c.City FROM Orders o LEFT JOIN Customers c"
              " ON c.ID = o.CustomerID AND (c._odata_state & 4) = 0"
              " WHERE (o._odata_state & 4) = 0 AND o.ID >= ? ORDER BY o.ID LIMIT 100");
  sqlite3_bind_int64(statement, 1, start);
  std::vector<std::pair<Order, Customer>> rows;
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW)
    rows.push_back({order(statement), {sqlite3_column_int64(statement, 14), text(statement, 15), text(statement, 16)}});
  check(code == SQLITE_DONE, "step");
  sqlite3_reset(statement);
  int64_t total = 0;
  for (const auto &[row, customer] : rows)
    total += sum(row) + customer.id + length(customer.name) + length(customer.city);
  return total;
}

static int64_t any(int64_t start) {
  static sqlite3_stmt *const statement =
      prepare("SELECT ID, Name, City FROM Customers c WHERE (_odata_state & 4) = 0 AND ID >= ? AND EXISTS (SELECT 1"
              " FROM Orders o WHERE o.CustomerID = c.ID AND (o._odata_state & 4) = 0 AND o.City = ?)"
              " ORDER BY ID LIMIT 100");
  sqlite3_bind_int64(statement, 1, start);
  sqlite3_bind_text(statement, 2, "Köln", -1, SQLITE_STATIC);
  int64_t total = 0;
  for (const Customer &row : customers(statement, 0)) total += row.id + length(row.name) + length(row.city);
  return total;
}

static int64_t count(int64_t start) {
  static sqlite3_stmt *const statement =
      prepare("SELECT count(*) FROM Orders WHERE (_odata_state & 4) = 0 AND Number >= ? AND Number < ? AND Active = 1");
  sqlite3_bind_int64(statement, 1, start);
  sqlite3_bind_int64(statement, 2, start + 5000);
  check(sqlite3_step(statement) == SQLITE_ROW, "no row");
  const int64_t number = sqlite3_column_int64(statement, 0);
  sqlite3_reset(statement);
  return number;
}

static const struct {
  const char *name;
  int64_t (*run)(int64_t);
} kinds[] = {{"point", point}, {"page", page}, {"expand", expand}, {"filter", filter},
             {"toone", to_one}, {"any", any},  {"count", count}};

static void run(int count, char **arguments) {
  check(count == 5, "usage: reads KIND FILE ROUNDS BOUND");
  check(sqlite3_open_v2(arguments[2], &database, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK, "open");
  sqlite3_exec(database, "PRAGMA cache_size = -16384", nullptr, nullptr, nullptr);
  const long rounds = atol(arguments[3]);
  const int64_t bound = atoll(arguments[4]);
  int64_t (*query)(int64_t) = nullptr;
  for (const auto &kind : kinds)
    if (strcmp(arguments[1], kind.name) == 0) query = kind.run;
  check(query != nullptr, "no such kind");
  uint64_t state = 20240229;
  int64_t total = 0;
  // The first tenth warms the caches.
  auto start = std::chrono::steady_clock::now();
  for (long round = 0; round < rounds + rounds / 10; round += 1) {
    if (round == rounds / 10) start = std::chrono::steady_clock::now();
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    total += query(static_cast<int64_t>(state >> 33) % bound + 1);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("seconds=%.9f sum=%lld peak_kib=%ld\n", seconds / static_cast<double>(rounds), static_cast<long long>(total),
         usage.ru_maxrss);
}

int main(int count, char **arguments) {
  std::thread([=] { run(count, arguments); }).join();
}
