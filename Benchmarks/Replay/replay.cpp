// The floor of a download without changes: the same requests with libcurl, over one connection, answers left unread.
// usage: replay ROUNDS FILE…   FILE: method, URL and headers in lines, an empty line, the body
// prints seconds=… (processor time of one round) wall=… peak_kib=…
#include <curl/curl.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

struct Request {
  std::string method, url, body;
  curl_slist *headers = nullptr;
};

static Request read_request(const char *file) {
  std::ifstream input(file, std::ios::binary);
  Request request;
  std::getline(input, request.method);
  std::getline(input, request.url);
  for (std::string line; std::getline(input, line) && !line.empty();)
    request.headers = curl_slist_append(request.headers, line.c_str());
  std::ostringstream body;
  body << input.rdbuf();
  request.body = body.str();
  return request;
}

static size_t take(char *bytes, size_t size, size_t count, void *body) {
  static_cast<std::string *>(body)->append(bytes, size * count);
  return size * count;
}

static void send(CURL *curl, const Request &request) {
  std::string answer;
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, request.headers);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
  if (request.method == "POST") {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.data());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, static_cast<long>(request.body.size()));
  } else {
    curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
  }
  long status = 0;
  if (curl_easy_perform(curl) != CURLE_OK || curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK ||
      status != 200) {
    fprintf(stderr, "replay: %s: status %ld\n", request.url.c_str(), status);
    exit(1);
  }
}

static double cpu_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

int main(int count, char **arguments) {
  const long rounds = count > 2 ? atol(arguments[1]) : 0;
  std::vector<Request> requests;
  for (int index = 2; index < count; index += 1) requests.push_back(read_request(arguments[index]));
  CURL *curl = curl_easy_init();
  if (!curl || rounds < 1) return 2;
  for (const Request &request : requests) send(curl, request);
  const auto start = std::chrono::steady_clock::now();
  const double cpu = cpu_seconds();
  for (long round = 0; round < rounds; round += 1)
    for (const Request &request : requests) send(curl, request);
  const double used = cpu_seconds() - cpu;
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("seconds=%.9f wall=%.9f peak_kib=%ld\n", used / static_cast<double>(rounds), wall / static_cast<double>(rounds),
         usage.ru_maxrss);
  curl_easy_cleanup(curl);
}
