// The floor of batches: the same bytes are put together, split at the boundary and their header lines parsed.
// usage: batch PARTS ROUNDS   prints seconds=… units=… bytes=… peak_kib=…, the fastest round
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

struct Message {
  std::string content_id, start_line, body;
  std::vector<std::pair<std::string, std::string>> headers;
};

static void append(std::string &out, const std::string &boundary, const Message &message) {
  out += "--" + boundary + "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\nContent-ID: ";
  out += message.content_id + "\r\n\r\n" + message.start_line + "\r\n";
  for (const auto &[name, value] : message.headers) out += name + ": " + value + "\r\n";
  out += "Content-Length: " + std::to_string(message.body.size()) + "\r\n\r\n" + message.body + "\r\n";
}

static std::string write(const std::vector<Message> &messages, const std::string &boundary) {
  std::string out;
  for (const Message &message : messages) append(out, boundary, message);
  return out + "--" + boundary + "--\r\n";
}

// Header lines up to the empty one; the place behind it.
static const char *fields(const char *at, const char *end, std::vector<std::pair<std::string, std::string>> &headers) {
  while (at < end) {
    const char *line = static_cast<const char *>(memchr(at, '\n', end - at));
    const char *stop = line ? line : end;
    const char *next = line ? line + 1 : end;
    if (stop > at && stop[-1] == '\r') stop -= 1;
    if (stop == at) return next;
    const char *colon = static_cast<const char *>(memchr(at, ':', stop - at));
    if (!colon) exit(1);
    const char *value = colon + 1;
    while (value < stop && *value == ' ') value += 1;
    headers.emplace_back(std::string(at, colon), std::string(value, stop));
    at = next;
  }
  return at;
}

static std::vector<Message> read(const std::string &text, const std::string &boundary) {
  std::vector<Message> messages;
  const std::string delimiter = "\r\n--" + boundary;
  const char *at = text.data() + delimiter.size();
  const char *const end = text.data() + text.size();
  while (true) {
    const char *stop = static_cast<const char *>(memmem(at, end - at, delimiter.data(), delimiter.size()));
    if (!stop) break;
    Message message;
    std::vector<std::pair<std::string, std::string>> part;
    const char *inner = fields(at, stop, part);
    for (const auto &[name, value] : part) {
      if (name == "Content-ID") message.content_id = value;
    }
    const char *line = static_cast<const char *>(memchr(inner, '\r', stop - inner));
    if (!line) exit(1);
    message.start_line.assign(inner, line);
    const char *body = fields(line + 2, stop, message.headers);
    message.body.assign(body, stop);
    messages.push_back(std::move(message));
    at = stop + delimiter.size();
    if (end - at >= 2 && at[0] == '-' && at[1] == '-') break;
    at += 2;
  }
  return messages;
}

static long peak_kib() {
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  long peak = 0;
  while (status && fgets(line, sizeof line, status)) sscanf(line, "VmHWM: %ld", &peak);
  if (status) fclose(status);
  return peak;
}

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: batch PARTS ROUNDS\n"), 2;
  std::vector<Message> creations;
  for (int number = 1; number <= atoi(argv[1]); number++) {
    creations.push_back({std::to_string(number), "POST Tools HTTP/1.1",
                         "{\"Title\":\"" + std::string(300, 'x') + "\",\"Price\":12.50}",
                         {{"Content-Type", "application/json"}}});
  }
  double least = 1e9;
  size_t units = 0, bytes = 0;
  for (int round = 0; round < atoi(argv[2]); round++) {
    auto start = std::chrono::steady_clock::now();
    std::string request = write(creations, "batch_1");
    std::vector<Message> answers = read(request, "batch_1");
    for (Message &answer : answers) {
      answer.start_line = "HTTP/1.1 201 Created";
      answer.headers.pop_back();  // Content-Length is the writer's.
    }
    std::string response = write(answers, "answers_1");
    units = read(response, "answers_1").size();
    bytes = request.size() + response.size();
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    if (time.count() < least) least = time.count();
  }
  printf("seconds=%.9f units=%zu bytes=%zu peak_kib=%ld\n", least, units, bytes, peak_kib());
}
