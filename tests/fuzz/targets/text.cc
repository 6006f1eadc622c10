// Bytes of any kind as text: from the host, as files, and through •FromUTF8 and •ParseFloat.
#include <algorithm>

#include "repl/text.h"
#include "tests/fuzz/targets/target.h"

namespace {

// One file, whatever it is called.
struct OneFile final : griddle::FileSource {
  std::string contents;
  std::optional<std::string> read(std::string_view) override { return contents; }
};

constexpr const char* programs[] = {"•FChars \"/f\"", "•FLines \"/f\"", "•FBytes \"/f\"", "•file.Lines \"/f\"", "•Import \"/f\""};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  OneFile file;
  file.contents = bytes;
  griddle::Options options = fuzz::limited();
  options.capabilities = griddle_may_read_files;
  options.files = &file;
  griddle::Interpreter bqn(options);
  const griddle::Any text = bqn.text(bytes);
  fuzz::require(text.is_text(), "any bytes make a text");
  const std::optional<std::string> back = text.text();
  fuzz::require(back && bqn.text(*back).matches(text), "a text that is written reads back as itself");
  fuzz::require(text.length() == griddle::repl::code_points_of(bytes).size(), "the session sees as many characters");
  const griddle::Any encoded = *bqn.eval("•ToUTF8")(text);
  fuzz::require(encoded.length() == back->size(), "•ToUTF8 gives the bytes that the host gets");
  fuzz::require(bqn.eval("•FromUTF8")(encoded)->matches(text), "•FromUTF8 undoes •ToUTF8");
  // Bytes as numbers and as characters.
  fuzz::look_at(bqn, bqn.eval("•FromUTF8")(bqn.list(std::span(data, size))));
  fuzz::look_at(bqn, bqn.eval("•FromUTF8")(bqn.characters(std::span(data, size))));
  fuzz::look_at(bqn, bqn.eval("•ParseFloat")(text));
  for (const char* program : programs) {
    const griddle::Result result = bqn.eval(program);
    fuzz::look_at(bqn, result);
    if (program == programs[2]) fuzz::require(result && result->length() == size, "a file has its bytes");
  }
  return 0;
}
