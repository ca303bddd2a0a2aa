// The floor of JSON reading: simdjson's on-demand parser visiting every value of the same bytes.
// usage: json FILE ROUNDS   prints seconds=… units=… peak_kib=…, the fastest round
#include <simdjson.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace simdjson;

static size_t visit(ondemand::value value) {
  size_t count = 1;
  switch (value.type()) {
    case ondemand::json_type::object:
      for (auto field : value.get_object()) count += visit(field.value());
      break;
    case ondemand::json_type::array:
      for (auto element : value.get_array()) count += visit(element.value());
      break;
    case ondemand::json_type::string: count += value.get_raw_json_string().value().raw() != nullptr; break;
    case ondemand::json_type::number: count += value.raw_json_token().size() > 0; break;
    case ondemand::json_type::boolean: count += value.get_bool().value(); break;
    default: break;
  }
  return count;
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
    ondemand::parser parser;
    double least = 1e9;
    size_t units = 0;
    for (int round = 0; round < atoi(argv[2]); round++) {
      auto start = std::chrono::steady_clock::now();
      ondemand::document document = parser.iterate(text);
      units = visit(document.get_value());
      std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
      if (time.count() < least) least = time.count();
    }
    printf("seconds=%.9f units=%zu peak_kib=%ld\n", least, units, peak_kib());
  } catch (const simdjson_error &error) {
    return fprintf(stderr, "json: %s\n", error.what()), 1;
  }
}
