// Runs a target over corpora and single inputs, without libFuzzer:  TARGET FILE…
//
// A file whose name ends in .txt is a corpus: each line is an input, in which \n, \\ and \xNN stand for bytes. Any other file is
// one input.
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tests/fuzz/targets/target.h"

namespace {

std::string unescaped(const std::string& line) {
  std::string bytes;
  for (std::size_t i = 0; i < line.size(); i++) {
    if (line[i] != '\\' || i + 1 == line.size()) {
      bytes += line[i];
    } else if (line[++i] == 'x') {
      bytes += static_cast<char>(std::stoi(line.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      bytes += line[i] == 'n' ? '\n' : line[i];
    }
  }
  return bytes;
}

void run(const std::string& bytes) {
  // Memory of its own, so that a sanitizer sees what is read beyond it.
  const std::string copy(bytes);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(copy.data()), copy.size());
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t inputs = 0;
  for (int i = 1; i < count; i++) {
    const std::string path = arguments[i];
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::fprintf(stderr, "no such file: %s\n", path.c_str()), 2;
    if (!path.ends_with(".txt")) {
      run({std::istreambuf_iterator<char>(file), {}});
      inputs++;
      continue;
    }
    for (std::string line; std::getline(file, line); inputs++) {
      // What a crash leaves on standard error ends with the input that made it.
      std::fprintf(stderr, "%s:%zu\n", path.c_str(), inputs + 1);
      run(unescaped(line));
    }
  }
  std::printf("%zu inputs\n", inputs);
  return inputs > 0 ? 0 : 2;
}
