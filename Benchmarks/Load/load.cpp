// Requests against a service over several connections at once, each sending its next when its answer is there.
// usage: load CONNECTIONS SECONDS FILE PORT BOUND START   FILE: method, target and body in lines of three, taken in turn; in
// target and body `%d` is the number of the request, from START on, `%k` one of the keys from 1 to BOUND, `\n` a line's end. prints seconds=… (of one request) rate=… p50=…
// p99=… bytes=… (of one answer) failed=…
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Request {
  std::string method, target, body;
};

static std::vector<Request> wanted;
static std::mutex lock;
static std::vector<double> times;
static std::atomic<long> bytes{0}, failed{0}, next_number{0};
static int port;
static long bound;
static Clock::time_point end_time;

static std::string numbered(std::string text, long number) {
  for (size_t at = 0; (at = text.find("%d", at)) != std::string::npos;) text.replace(at, 2, std::to_string(number));
  for (size_t at = 0; (at = text.find("\\n", at)) != std::string::npos;) text.replace(at, 2, "\r\n");
  for (size_t at; (at = text.find("%k")) != std::string::npos;)
    text.replace(at, 2, std::to_string(number * 7919 % bound + 1));
  return text;
}

static int connected() {
  const int handle = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(handle, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) {
    perror("load");
    exit(1);
  }
  return handle;
}

// Reads one answer; the length comes from its head, or in chunks.
static bool read_answer(int handle, std::string &input, int &status) {
  std::vector<char> buffer(1 << 16);
  size_t head = std::string::npos, need = std::string::npos;
  bool is_chunked = false;
  while (true) {
    if (head == std::string::npos && (head = input.find("\r\n\r\n")) != std::string::npos) {
      std::string text = input.substr(0, head);
      std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) { return std::tolower(letter); });
      status = atoi(text.c_str() + 9);
      const size_t length = text.find("\r\ncontent-length:");
      is_chunked = text.find("transfer-encoding: chunked") != std::string::npos;
      if (!is_chunked) need = head + 4 + (length == std::string::npos ? 0 : strtoul(text.c_str() + length + 17, nullptr, 10));
    }
    if (is_chunked) {
      const size_t last = input.find("\r\n0\r\n\r\n", head);
      if (last != std::string::npos) need = last + 7;
    }
    if (need != std::string::npos && input.size() >= need) {
      bytes += static_cast<long>(need);
      input.erase(0, need);
      return true;
    }
    const ssize_t count = recv(handle, buffer.data(), buffer.size(), 0);
    if (count <= 0) return false;
    input.append(buffer.data(), static_cast<size_t>(count));
  }
}

static void work() {
  const int handle = connected();
  std::string input;
  std::vector<double> own;
  while (Clock::now() < end_time) {
    const long number = next_number++;
    const Request &request = wanted[static_cast<size_t>(number) % wanted.size()];
    const std::string body = numbered(request.body, number);
    std::string text = request.method + " " + numbered(request.target, number) + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n";
    if (!body.empty()) text += std::string("Content-Type: ") + (body[0] == '-' ? "multipart/mixed; boundary=b" : "application/json") +
          "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
    text += "\r\n" + body;
    const auto start = Clock::now();
    int status = 0;
    if (send(handle, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()) ||
        !read_answer(handle, input, status)) {
      failed += 1;
      break;
    }
    if (status / 100 != 2) failed += 1;
    own.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  close(handle);
  const std::lock_guard<std::mutex> guard(lock);
  times.insert(times.end(), own.begin(), own.end());
}

int main(int count, char **arguments) {
  if (count != 7) return 2;
  std::ifstream file(arguments[3]);
  for (Request request; std::getline(file, request.method) && std::getline(file, request.target) &&
                        std::getline(file, request.body);)
    wanted.push_back(request);
  if (wanted.empty()) return 2;
  port = atoi(arguments[4]);
  bound = std::max(1L, atol(arguments[5]));
  next_number = atol(arguments[6]);
  const double seconds = atof(arguments[2]);
  const auto start = Clock::now();
  end_time = start + std::chrono::microseconds(static_cast<long>(seconds * 1e6));
  std::vector<std::thread> threads;
  for (long index = 0; index < atol(arguments[1]); index += 1) threads.emplace_back(work);
  for (std::thread &thread : threads) thread.join();
  const double spent = std::chrono::duration<double>(Clock::now() - start).count();
  std::sort(times.begin(), times.end());
  const size_t all = times.size();
  if (all == 0) return 1;
  printf("seconds=%.9f rate=%.1f p50=%.9f p99=%.9f bytes=%ld failed=%ld peak_kib=0\n", spent / static_cast<double>(all),
         static_cast<double>(all) / spent, times[all / 2], times[all * 99 / 100], bytes.load() / static_cast<long>(all),
         failed.load());
}
