// A V4 service in memory that answers at once, in a process of its own: sets of orders in pages of 5,000 rows, deltas that
// bring changes on demand, $batch for reads and changes. Changes are accepted and forgotten.
// usage: service ROWS [sets=N] [customers=N] [page=N] [note=BYTES] [nodelta] [nobatch] [v2]
// v2: one set in verbose JSON by $skip and $top, or by the links of pages. note: the first order has a note of so many bytes.
// ROWS are divided among the sets Orders, Orders2, … of one type; Customers is empty, or has N. Prints the port it listens on, then
// serves until its standard input ends. GET /control/change/N lets the next delta of Orders bring N changed rows;
// GET /control/requests tells how many requests came (a batch is one), and /control/changes how many changes.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

static std::string base;
static long rows_each = 0, set_count = 1, page_size = 5000, customer_count = 0, note_size = 0;
static bool has_delta = true, has_batch = true, speaks_v2 = false;
static std::atomic<long> requests{0}, changes{0}, changed_rows{0}, generation{1};
static std::mutex lock;
static std::map<std::pair<long, long>, std::string> cached;

static const char *const types = R"xml(<EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
<Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
<Property Name="City" Type="Edm.String"/>
<NavigationProperty Name="Orders" Type="Collection(Bench.Order)" Partner="Buyer"/></EntityType>
<EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
<Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Number" Type="Edm.Int64"/>
<Property Name="Customer" Type="Edm.String"/><Property Name="City" Type="Edm.String"/>
<Property Name="Street" Type="Edm.String"/><Property Name="Category" Type="Edm.String"/>
<Property Name="Note" Type="Edm.String"/><Property Name="Price" Type="Edm.Decimal" Precision="15" Scale="2"/>
<Property Name="Tax" Type="Edm.Decimal" Precision="15" Scale="2"/>
<Property Name="Weight" Type="Edm.Decimal" Precision="12" Scale="3"/>
<Property Name="CreatedAt" Type="Edm.DateTimeOffset" Precision="3"/><Property Name="DueDate" Type="Edm.Date"/>
<Property Name="Active" Type="Edm.Boolean"/><Property Name="CustomerID" Type="Edm.Int64"/>
<NavigationProperty Name="Buyer" Type="Bench.Customer" Partner="Orders">
<ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty></EntityType>)xml";

static std::string set_name(long number) { return number == 0 ? "Orders" : "Orders" + std::to_string(number + 1); }

static const char *const v2_metadata = R"xml(<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
<edmx:DataServices m:DataServiceVersion="2.0"><Schema Namespace="Bench" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
<EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int64" Nullable="false"/>
<Property Name="Number" Type="Edm.Int64"/><Property Name="Customer" Type="Edm.String"/><Property Name="City" Type="Edm.String"/>
<Property Name="Street" Type="Edm.String"/><Property Name="Category" Type="Edm.String"/><Property Name="Note" Type="Edm.String"/>
<Property Name="Price" Type="Edm.Decimal" Precision="15" Scale="2"/><Property Name="Active" Type="Edm.Boolean"/>
<Property Name="CustomerID" Type="Edm.Int64"/></EntityType>
<EntityContainer Name="Container" m:IsDefaultEntityContainer="true"><EntitySet Name="Orders" EntityType="Bench.Order"/>
</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>)xml";

static std::string metadata() {
  if (speaks_v2) return v2_metadata;
  std::string text = std::string(R"(<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">)"
      R"(<edmx:DataServices><Schema Namespace="Bench" xmlns="http://docs.oasis-open.org/odata/ns/edm">)") + types +
      R"(<EntityContainer Name="Container"><EntitySet Name="Customers" EntityType="Bench.Customer">)"
      R"(<NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet>)";
  for (long set = 0; set < set_count; set += 1)
    text += "<EntitySet Name=\"" + set_name(set) + "\" EntityType=\"Bench.Order\">"
            "<NavigationPropertyBinding Path=\"Buyer\" Target=\"Customers\"/></EntitySet>";
  if (!has_batch) text += R"(<Annotation Term="Org.OData.Capabilities.V1.BatchSupported" Bool="false"/>)";
  return text + "</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>";
}

// Customers that orders belong to, whether they are there or not.
static long buyers() { return customer_count > 0 ? customer_count : 10000; }

// The same row for the same number and generation.
static void append_row(std::string &out, long id, long turn) {
  static const char *const cities[] = {"M\u00fcnchen", "K\u00f6ln", "Z\u00fcrich", "Berlin"};
  static const char *const categories[] = {"standard", "express", "return"};
  static const char *const notes[] = {"deliver before noon, fragile, keep upright", "call ahead and ring twice"};
  char text[640];
  int length = snprintf(text, sizeof text,
      "{\"ID\":%ld,\"Number\":%ld,\"Customer\":\"Customer %ld & Sons GmbH\",\"City\":\"%s\",\"Street\":\"Hauptstra\u00dfe am Markt "
      "%ld\",\"Category\":\"%s\",\"Note\":", id, id * 7919 % (rows_each > 0 ? rows_each : 1) + 1, id % 20000, cities[id % 4],
      id % 200, categories[id % 3]);
  out.append(text, static_cast<size_t>(length));
  if (turn > 1) out += "\"changed " + std::to_string(turn) + "\"";
  else if (id == 1 && note_size > 0) out += '"' + std::string(static_cast<size_t>(note_size), 'n') + '"';
  else out += id % 2 ? std::string("\"") + notes[id / 2 % 2] + "\"" : "null";
  length = snprintf(text, sizeof text,
      ",\"Price\":%ld.%02ld,\"Tax\":%ld.%02ld,\"Weight\":%ld.%03ld,\"CreatedAt\":\"20%02ld-%02ld-%02ldT%02ld:30:15.500Z\","
      "\"DueDate\":\"20%02ld-%02ld-%02ld\",\"Active\":%s,\"CustomerID\":%ld}", id % 100000, id % 100, id % 1000, id % 97,
      id % 500, id % 1000, 10 + id % 20, 1 + id % 12, 1 + id % 28, id % 24, 10 + id % 20, 1 + id % 12, 1 + id % 28,
      id % 2 ? "false" : "true", id * 31 % buyers() + 1);
  out.append(text, static_cast<size_t>(length));
}

// What the verbose format of V2 makes of the same row.
static void append_v2_row(std::string &out, long id) {
  char text[640];
  const int length = snprintf(text, sizeof text,
      "{\"__metadata\":{\"type\":\"Bench.Order\",\"uri\":\"%sOrders(%ldL)\"},\"ID\":\"%ld\",\"Number\":\"%ld\",\"Customer\":"
      "\"Customer %ld & Sons GmbH\",\"City\":\"Wien\",\"Street\":\"Hauptstra\u00dfe am Markt %ld\",\"Category\":\"express\","
      "\"Note\":%s,\"Price\":\"%ld.%02ld\",\"Active\":%s,\"CustomerID\":\"%ld\"}", base.c_str(), id, id, id * 7919 % rows_each + 1,
      id % 20000, id % 200, id % 2 ? "\"deliver before noon, fragile, keep upright\"" : "null", id % 100000, id % 100,
      id % 2 ? "false" : "true", id * 31 % buyers() + 1);
  out.append(text, static_cast<size_t>(length));
}

static std::string v2_page(const std::string &target) {
  const size_t skip = target.find("skip="), top = target.find("top=");
  const long start = skip == std::string::npos ? 0 : atol(target.c_str() + skip + 5);
  const long count = top == std::string::npos ? page_size : atol(target.c_str() + top + 4);
  std::string text = "{\"d\":{\"results\":[";
  for (long id = start; id < start + count && id < rows_each; id += 1) {
    if (id > start) text += ",";
    append_v2_row(text, id + 1);
  }
  text += "]";
  if (top == std::string::npos && start + count < rows_each)
    text += ",\"__next\":\"" + base + "Orders?$skip=" + std::to_string(start + count) + "\"";
  return text + "}}";
}

static std::string make_page(long set, long page) {
  const std::string name = set_name(set), token = std::to_string(generation.load());
  std::string text = "{\"@odata.context\":\"" + base + "$metadata#" + name + "\",\"value\":[";
  const long start = page * page_size;
  for (long id = start; id < start + page_size && id < rows_each; id += 1) {
    if (id > start) text += ",\n";
    append_row(text, id + 1, 1);
  }
  text += "]";
  if (start + page_size < rows_each)
    text += ",\"@odata.nextLink\":\"" + base + name + "?$skiptoken=" + std::to_string(page + 1) + "\"";
  else if (has_delta)
    text += ",\"@odata.deltaLink\":\"" + base + name + "?$deltatoken=" + token + "\"";
  return text + "}";
}

static std::string page(long set, long number) {
  if (rows_each * set_count > 2000000) return make_page(set, number);
  const std::lock_guard<std::mutex> guard(lock);
  std::string &text = cached[{set, number}];
  if (text.empty()) text = make_page(set, number);
  return text;
}

// All customers, on one page.
static std::string customers() {
  std::string text;
  for (long id = 1; id <= customer_count; id += 1)
    text += (id > 1 ? ",{\"ID\":" : "{\"ID\":") + std::to_string(id) + ",\"Name\":\"Customer " + std::to_string(id) +
            "\",\"City\":\"Wien\"}";
  return text;
}

static std::string delta(long set, const std::string &token) {
  const std::string name = set_name(set);
  const size_t at = token.find("at");
  const long now = generation.load(), count = set == 0 && atol(token.c_str()) < now ? changed_rows.load() : 0;
  const long start = at == std::string::npos ? 0 : atol(token.c_str() + at + 2);
  const long end = start + 5000 < count ? start + 5000 : count;
  // Spread over the whole set.
  const long step = count > 0 && rows_each > count ? rows_each / count : 1;
  std::string text = "{\"@odata.context\":\"" + base + "$metadata#" + name + "/$delta\",\"value\":[";
  for (long index = start; index < end; index += 1) {
    if (index > start) text += ",\n";
    append_row(text, index * step % (rows_each > 0 ? rows_each : 1) + 1, now);
  }
  const bool more = end < count;
  return text + "],\"@odata." + (more ? "nextLink" : "deltaLink") + "\":\"" + base + name + "?$deltatoken=" +
         (more ? token.substr(0, at) + "at" + std::to_string(end) : std::to_string(now)) + "\"}";
}

struct Answer {
  std::string status, headers, body;
};

static Answer json(std::string body) {
  return {"200 OK", "Content-Type: application/json;odata.metadata=minimal\r\nPreference-Applied: odata.track-changes\r\n",
          std::move(body)};
}

static Answer read(std::string target) {
  if (target.rfind(base, 0) == 0) target = target.substr(base.size());
  while (!target.empty() && target[0] == '/') target.erase(0, 1);
  const std::string path = target.substr(0, target.find('?'));
  if (path == "$metadata" || path == "%24metadata") return {"200 OK", "Content-Type: application/xml\r\n", metadata()};
  if (path.rfind("control/change/", 0) == 0) {
    changed_rows = atol(path.c_str() + 15);
    generation += 1;
    return json("{}");
  }
  if (path == "control/requests") return json(std::to_string(requests.load()));
  if (path == "control/changes") return json(std::to_string(changes.load()));
  if (speaks_v2 && path == "Orders") return json(v2_page(target));
  if (path.empty()) {
    std::string text = "{\"@odata.context\":\"" + base + "$metadata\",\"value\":["
                       "{\"name\":\"Customers\",\"kind\":\"EntitySet\",\"url\":\"Customers\"}";
    for (long set = 0; set < set_count; set += 1)
      text += ",{\"name\":\"" + set_name(set) + "\",\"kind\":\"EntitySet\",\"url\":\"" + set_name(set) + "\"}";
    return json(text + "]}");
  }
  const size_t token = target.find("deltatoken="), skip = target.find("skiptoken=");
  if (path == "Customers")
    return json("{\"@odata.context\":\"" + base + "$metadata#Customers" + (token != std::string::npos ? "/$delta" : "") +
                "\",\"value\":[" + (token == std::string::npos ? customers() : "") + "]" + (has_delta ? ",\"@odata.deltaLink\":\"" + base + "Customers?$deltatoken=" +
                std::to_string(generation.load()) + "\"" : "") + "}");
  const size_t key = path.find('(');
  const std::string name = path.substr(0, key);
  if (name.rfind("Orders", 0) == 0) {
    const long set = name.size() > 6 ? atol(name.c_str() + 6) - 1 : 0;
    if (key != std::string::npos) {
      const long id = atol(path.c_str() + key + 1);
      if (id < 1 || id > rows_each) return {"404 Not Found", "Content-Type: application/json\r\n",
                                            "{\"error\":{\"code\":\"404\",\"message\":\"not found\"}}"};
      std::string text;
      append_row(text, id, 1);
      return json("{\"@odata.context\":\"" + base + "$metadata#" + name + "/$entity\"," + text.substr(1));
    }
    if (set >= 0 && set < set_count) {
      if (token != std::string::npos) return json(delta(set, target.substr(token + 11)));
      return json(page(set, skip != std::string::npos ? atol(target.c_str() + skip + 10) : 0));
    }
  }
  return {"404 Not Found", "Content-Type: application/json\r\n", "{\"error\":{\"code\":\"404\",\"message\":\"not found\"}}"};
}

static Answer change(const std::string &method, std::string target, std::string_view body) {
  changes += 1;
  if (target.rfind(base, 0) == 0) target = target.substr(base.size());
  while (!target.empty() && target[0] == '/') target.erase(0, 1);
  if (method != "POST") return {"204 No Content", "", ""};
  const size_t key = body.find("\"ID\":");
  const long id = key == std::string_view::npos ? 0 : strtol(body.data() + key + 5 + (body[key + 5] == '"'), nullptr, 10);
  const std::string place = base + target.substr(0, target.find('?')) + "(" + std::to_string(id) + ")";
  return {"204 No Content", "Location: " + place + "\r\nOData-EntityId: " + place + "\r\n", ""};
}

static std::string header(std::string_view head, const char *name) {
  const size_t length = strlen(name);
  for (size_t line = 0; line != std::string_view::npos && line < head.size();) {
    if (head.size() - line > length && strncasecmp(head.data() + line, name, length) == 0 && head[line + length] == ':') {
      size_t start = line + length + 1, end = head.find("\r\n", line);
      if (end == std::string_view::npos) end = head.size();
      while (start < end && head[start] == ' ') start += 1;
      return std::string(head.substr(start, end - start));
    }
    line = head.find("\r\n", line);
    if (line != std::string_view::npos) line += 2;
  }
  return "";
}

static std::string boundary(const std::string &type) {
  const size_t start = type.find("boundary=");
  if (start == std::string::npos) return "";
  std::string text = type.substr(start + 9);
  text = text.substr(0, text.find(';'));
  if (!text.empty() && text[0] == '"') text = text.substr(1, text.size() - 2);
  return text;
}

// The parts of a multipart body answered, in order; a change set is answered part by part.
static std::string batch(std::string_view body, const std::string &limit, const std::string &own) {
  const std::string line = "--" + limit;
  std::string text;
  size_t start = body.find(line);
  while (start != std::string_view::npos) {
    start += line.size();
    if (body.substr(start, 2) == "--") break;
    const size_t end = body.find(line, start);
    if (end == std::string_view::npos) break;
    const std::string_view part = body.substr(start + 2, end - start - 2);
    const size_t blank = part.find("\r\n\r\n");
    start = end;
    if (blank == std::string_view::npos) continue;
    const std::string_view head = part.substr(0, blank + 2), content = part.substr(blank + 4);
    const std::string inner = boundary(header(head, "Content-Type"));
    text += "--" + own + "\r\n";
    if (!inner.empty()) {
      text += "Content-Type: multipart/mixed; boundary=set\r\n\r\n" + batch(content, inner, "set") + "\r\n";
      continue;
    }
    const std::string id = header(head, "Content-ID");
    const size_t space = content.find(' '), stop = content.find(' ', space + 1), rest = content.find("\r\n\r\n");
    const std::string method(content.substr(0, space)), target(content.substr(space + 1, stop - space - 1));
    const Answer answer = method == "GET" ? read(target)
        : change(method, target, rest == std::string_view::npos ? "" : content.substr(rest + 4));
    text += "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n" +
            (id.empty() ? "" : "Content-ID: " + id + "\r\n") + "\r\nHTTP/1.1 " + answer.status +
            "\r\nOData-Version: 4.0\r\n" + answer.headers +
            (answer.body.empty() ? "" : "Content-Length: " + std::to_string(answer.body.size()) + "\r\n") + "\r\n" +
            answer.body + "\r\n";
  }
  return text + "--" + own + "--\r\n";
}

static bool send_all(int socket, const std::string &bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t sent = send(socket, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    done += static_cast<size_t>(sent);
  }
  return true;
}

static void serve(int socket) {
  std::string input;
  std::vector<char> buffer(1 << 16);
  while (true) {
    const ssize_t count = recv(socket, buffer.data(), buffer.size(), 0);
    if (count <= 0) break;
    input.append(buffer.data(), static_cast<size_t>(count));
    size_t end;
    while ((end = input.find("\r\n\r\n")) != std::string::npos) {
      const std::string head = input.substr(0, end + 2);
      const size_t length = strtoul(header(head, "Content-Length").c_str(), nullptr, 10);
      if (input.size() < end + 4 + length) break;
      const size_t space = head.find(' '), stop = head.find(' ', space + 1);
      const std::string method = head.substr(0, space), target = head.substr(space + 1, stop - space - 1);
      const std::string_view body(input.data() + end + 4, length);
      if (target.find("/control/") == std::string::npos) requests += 1;
      Answer answer;
      if (method == "GET") answer = read(target);
      else if (target.find("$batch") != std::string::npos || target.find("%24batch") != std::string::npos)
        answer = has_batch ? Answer{"200 OK", "Content-Type: multipart/mixed; boundary=answer\r\n",
                                    batch(body, boundary(header(head, "Content-Type")), "answer")}
                           : Answer{"404 Not Found", "", ""};
      else answer = change(method, target, body);
      const bool bare = answer.status.rfind("204", 0) == 0;
      std::string text = "HTTP/1.1 " + answer.status + "\r\nOData-Version: 4.0\r\n" + answer.headers +
          (bare ? "" : "Content-Length: " + std::to_string(answer.body.size()) + "\r\n") + "\r\n" + answer.body;
      if (!send_all(socket, text)) break;
      input.erase(0, end + 4 + length);
    }
  }
  close(socket);
}

int main(int count, char **arguments) {
  long rows = count > 1 ? atol(arguments[1]) : 10000;
  for (int index = 2; index < count; index += 1) {
    const std::string word = arguments[index];
    if (word.rfind("sets=", 0) == 0) set_count = atol(word.c_str() + 5);
    else if (word.rfind("page=", 0) == 0) page_size = atol(word.c_str() + 5);
    else if (word.rfind("customers=", 0) == 0) customer_count = atol(word.c_str() + 10);
    else if (word.rfind("note=", 0) == 0) note_size = atol(word.c_str() + 5);
    else if (word == "nodelta") has_delta = false;
    else if (word == "nobatch") has_batch = false;
    else if (word == "v2") speaks_v2 = true;
    else return 2;
  }
  rows_each = rows / set_count;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0 || listen(listener, 64) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr *>(&address), &length) != 0) {
    perror("service");
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
