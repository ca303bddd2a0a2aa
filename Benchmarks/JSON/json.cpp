// The floor of JSON reading: simdjson's parser makes its document of the same bytes.
// usage: json FILE ROUNDS   prints seconds=… units=… bytes=… peak_kib=…, the fastest round
#include <simdjson.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace simdjson;

// How many values there are, so that both sides are seen to read the same.
static size_t count(dom::element value) {
  size_t values = 1;
  if (value.is_object()) {
    for (auto field : value.get_object()) values += count(field.value);
  } else if (value.is_array()) {
    for (auto element : value.get_array()) values += count(element);
  }
  return values;
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
  if (argc != 3) return fprintf(stderr, "usage: json FILE ROUNDS\n"), 2;
  try {
    padded_string text = padded_string::load(argv[1]);
    dom::parser parser;
    double least = 1e9;
    size_t units = 0;
    for (int round = 0; round < atoi(argv[2]); round++) {
      auto start = std::chrono::steady_clock::now();
      dom::element document = parser.parse(text);
      std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
      if (time.count() < least) least = time.count();
      if (units == 0) units = count(document);
    }
    printf("seconds=%.9f units=%zu bytes=%zu peak_kib=%ld\n", least, units, text.size(), peak_kib());
  } catch (const simdjson_error &error) {
    return fprintf(stderr, "json: %s\n", error.what()), 1;
  }
}
