// Serves a V4 service of 500,000 orders from memory, in a process of its own, so that neither side of a benchmark
// pays for making the data: service document, metadata, pages of 5,000 rows, a delta link without changes.
// usage: feeder [ROWS [PAGE]]   prints the port it listens on, then serves until its standard input ends.
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
#include <string>
#include <thread>
#include <vector>

static std::vector<std::string> pages;
static std::string base;
static std::atomic<long> requests{0};

static uint64_t state = 20240229;
static uint32_t random_below(uint32_t bound) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<uint32_t>((state >> 33) % bound);
}

static const char *const metadata = R"(<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="Bench" xmlns="http://docs.oasis-open.org/odata/ns/edm">
<EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
<Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Customer" Type="Edm.String"/>
<Property Name="City" Type="Edm.String"/><Property Name="Street" Type="Edm.String"/>
<Property Name="Category" Type="Edm.String"/><Property Name="Email" Type="Edm.String"/>
<Property Name="Note" Type="Edm.String"/>
<Property Name="Price" Type="Edm.Decimal" Precision="15" Scale="2"/>
<Property Name="Tax" Type="Edm.Decimal" Precision="15" Scale="2"/>
<Property Name="Weight" Type="Edm.Decimal" Precision="12" Scale="3"/>
<Property Name="CreatedAt" Type="Edm.DateTimeOffset" Precision="3"/>
<Property Name="DueDate" Type="Edm.Date"/><Property Name="Active" Type="Edm.Boolean"/>
<Property Name="CustomerID" Type="Edm.Int64"/>
<NavigationProperty Name="Buyer" Type="Bench.Buyer"><ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty>
</EntityType>
<EntityType Name="Buyer"><Key><PropertyRef Name="ID"/></Key>
<Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
<EntityContainer Name="Container"><EntitySet Name="Orders" EntityType="Bench.Order">
<NavigationPropertyBinding Path="Buyer" Target="Buyers"/></EntitySet>
<EntitySet Name="Buyers" EntityType="Bench.Buyer"/>
<Annotation Term="Org.OData.Capabilities.V1.BatchSupported" Bool="false"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>)";

static void append_row(std::string &out, long id) {
  static const char *const cities[] = {"M\u00fcnchen", "K\u00f6ln", "Z\u00fcrich", "Berlin", "Gen\u00e8ve", "Wien"};
  static const char *const categories[] = {"standard", "express", "return", "spare part", "warranty"};
  static const char *const words[] = {"deliver", "before", "noon", "fragile", "keep", "upright", "call", "ahead",
                                      "ring", "twice", "leave", "with", "neighbour", "dock", "gate", "seven"};
  char text[512];
  const uint32_t customer = random_below(20000);
  snprintf(text, sizeof text,
           "{\"@odata.etag\":\"W/\\\"%08x\\\"\",\"ID\":%ld,\"Customer\":\"Customer %u & Sons GmbH\",\"City\":\"%s\","
           "\"Street\":\"%s %u\",\"Category\":\"%s\",\"Email\":\"buyer%u@example%u.com\",",
           random_below(0xffffffffu), id, customer, cities[random_below(6)],
           random_below(20) == 0 ? "\\\"Old\\\" Mill Road\\u002c rear" : "Hauptstra\u00dfe am Markt", random_below(200),
           categories[random_below(5)], customer, customer % 97);
  out += text;
  if (random_below(2)) {
    out += "\"Note\":null,";
  } else {
    out += "\"Note\":\"";
    for (int index = 0; index < 12; index += 1) {
      if (index) out += ' ';
      out += words[random_below(16)];
    }
    out += "\",";
  }
  snprintf(text, sizeof text,
           "\"Price\":%u.%02u,\"Tax\":%u.%02u,\"Weight\":%u.%03u,\"CreatedAt\":\"20%02u-%02u-%02uT%02u:%02u:%02u.%03uZ\","
           "\"DueDate\":\"20%02u-%02u-%02u\",\"Active\":%s,\"CustomerID\":%u}",
           random_below(100000), random_below(100), random_below(1000), random_below(100), random_below(500),
           random_below(1000), 10 + random_below(20), 1 + random_below(12), 1 + random_below(28), random_below(24),
           random_below(60), random_below(60), random_below(1000), 10 + random_below(20), 1 + random_below(12),
           1 + random_below(28), random_below(2) ? "true" : "false", customer);
  out += text;
}

static void make_pages(long rows, long page) {
  for (long start = 0; start < rows; start += page) {
    std::string text = "{\"@odata.context\":\"" + base + "$metadata#Orders\",\"value\":[";
    for (long id = start; id < start + page && id < rows; id += 1) {
      if (id > start) text += ",\n";
      append_row(text, id + 1);
    }
    const bool last = start + page >= rows;
    text += last ? "],\"@odata.deltaLink\":\"" + base + "Orders?$deltatoken=1\"}"
                 : "],\"@odata.nextLink\":\"" + base + "Orders?$skiptoken=" + std::to_string(start / page + 1) + "\"}";
    pages.push_back(std::move(text));
  }
}

static void send_all(int socket, const char *bytes, size_t count) {
  while (count > 0) {
    const ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes += sent;
    count -= static_cast<size_t>(sent);
  }
}

static void answer(int socket, const char *status, const char *type, const std::string &body) {
  std::string head = std::string("HTTP/1.1 ") + status + "\r\nOData-Version: 4.0\r\nContent-Type: " + type +
                     "\r\nPreference-Applied: odata.track-changes\r\nContent-Length: " + std::to_string(body.size()) +
                     "\r\n\r\n";
  send_all(socket, head.data(), head.size());
  send_all(socket, body.data(), body.size());
}

static void respond(int socket, const std::string &target) {
  static const char *const json = "application/json;odata.metadata=minimal";
  const size_t skip = target.find("skiptoken=");
  if (target.find("$metadata") != std::string::npos || target.find("%24metadata") != std::string::npos) {
    answer(socket, "200 OK", "application/xml", metadata);
  } else if (target == "/requests") {
    answer(socket, "200 OK", "text/plain", std::to_string(requests.load()));
  } else if (target.find("deltatoken=") != std::string::npos) {
    const std::string set = target.find("Buyers") != std::string::npos ? "Buyers" : "Orders";
    answer(socket, "200 OK", json, "{\"@odata.context\":\"" + base + "$metadata#" + set + "/$delta\",\"value\":[],"
           "\"@odata.deltaLink\":\"" + base + set + "?$deltatoken=1\"}");
  } else if (skip != std::string::npos) {
    const size_t page = strtoul(target.c_str() + skip + 10, nullptr, 10);
    if (page < pages.size()) answer(socket, "200 OK", json, pages[page]);
    else answer(socket, "410 Gone", json, "{\"error\":{\"code\":\"410\",\"message\":\"gone\"}}");
  } else if (target.rfind("/Orders", 0) == 0) {
    answer(socket, "200 OK", json, pages[0]);
  } else if (target.rfind("/Buyers", 0) == 0) {
    answer(socket, "200 OK", json, "{\"@odata.context\":\"" + base + "$metadata#Buyers\",\"value\":[],"
           "\"@odata.deltaLink\":\"" + base + "Buyers?$deltatoken=1\"}");
  } else if (target == "/") {
    answer(socket, "200 OK", json, "{\"@odata.context\":\"" + base + "$metadata\",\"value\":["
           "{\"name\":\"Orders\",\"kind\":\"EntitySet\",\"url\":\"Orders\"},"
           "{\"name\":\"Buyers\",\"kind\":\"EntitySet\",\"url\":\"Buyers\"}]}");
  } else {
    answer(socket, "404 Not Found", json, "{\"error\":{\"code\":\"404\",\"message\":\"not found\"}}");
  }
}

// The length of the body that a request's head announces.
static size_t body_length(const std::string &head) {
  static const char name[] = "content-length:";
  for (size_t line = head.find("\r\n"); line != std::string::npos; line = head.find("\r\n", line + 2)) {
    if (strncasecmp(head.c_str() + line + 2, name, sizeof name - 1) == 0)
      return strtoul(head.c_str() + line + 2 + sizeof name - 1, nullptr, 10);
  }
  return 0;
}

static void serve(int socket) {
  std::string input;
  char buffer[8192];
  while (true) {
    const ssize_t count = recv(socket, buffer, sizeof buffer, 0);
    if (count <= 0) break;
    input.append(buffer, static_cast<size_t>(count));
    size_t end;
    while ((end = input.find("\r\n\r\n")) != std::string::npos) {
      const size_t body = body_length(input.substr(0, end + 2));
      if (input.size() < end + 4 + body) break;
      const size_t space = input.find(' ');
      const size_t stop = input.find(' ', space + 1);
      const std::string target = input.substr(space + 1, stop - space - 1);
      if (target != "/requests") requests += 1;
      respond(socket, target);
      input.erase(0, end + 4 + body);
    }
  }
  close(socket);
}

int main(int count, char **arguments) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0 || listen(listener, 16) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr *>(&address), &length) != 0) {
    perror("feeder");
    return 1;
  }
  base = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
  make_pages(count > 1 ? atol(arguments[1]) : 500000, count > 2 ? atol(arguments[2]) : 5000);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  std::thread([] {
    char byte;
    while (read(0, &byte, 1) > 0) {}
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
