// JSON, CSV, files of NumPy, dates and regular expressions: texts and files, in any encoding, with options that the first byte
// chooses. What was read is written, and read again as the same.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "tests/fuzz/targets/target.h"

namespace {

// One file, whatever it is called.
struct DataFile final : griddle::FileSource {
  std::string contents;
  std::optional<std::string> read(std::string_view) override { return contents; }
};

constexpr const char* json_options[] = {"{true⇐1}", "{true⇐<\"true\",false⇐<\"false\"}", "{large⇐\"text\"}", "{large⇐\"error\"}"};
constexpr const char* csv_options[] = {
    "{header⇐0}",       "{header⇐1}",   "{ragged⇐1}",      "{ragged⇐1,missing⇐¯1}",
    "{types⇐\"ns-a\"}", "{quote⇐\"\"}", "{separator⇐';'}", "{separator⇐@+9,header⇐1,ragged⇐1}"};

// Reads a text in one way. Writes what comes of it, and looks that this is read as the same.
void look_at_text(griddle::Interpreter& bqn, const griddle::Any& text, const std::string& parse, const std::string& format) {
  const griddle::Result value = bqn.eval(parse)(text);
  fuzz::look_at(bqn, value);
  if (!value) return;
  // Numbers that are infinite cannot be written, and the text may be longer than there is memory.
  const griddle::Result written = bqn.eval(format)(*value);
  if (!written) return;
  const griddle::Result back = bqn.eval(parse)(*written);
  if (back) fuzz::require(back->matches(*value), "what is written is read as the same");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint8_t choice = *data;
  DataFile file;
  file.contents = fuzz::text_of(data + 1, size - 1);
  griddle::Options options = fuzz::limited();
  options.capabilities = griddle_may_read_files;
  options.files = &file;
  griddle::Interpreter bqn(options);
  const griddle::Any text = bqn.text(file.contents);
  const std::string json = json_options[choice % std::size(json_options)];
  // With `large` numbers come as text, and as such again.
  look_at_text(bqn, text, json + "⊸•json.Parse", "•json.Format");
  const std::string csv = csv_options[choice / std::size(json_options) % std::size(csv_options)];
  fuzz::look_at(bqn, bqn.eval(csv + "⊸•csv.Parse")(text));
  look_at_text(bqn, text, "•csv.Parse", "•csv.Format");
  for (const char* program : {"•json.ParseFile \"/f\"", "•csv.ParseFile \"/f\"", "•json.EachLine ⟨⊢,\"/f\"⟩"})
    fuzz::look_at(bqn, bqn.eval(program));
  fuzz::look_at(bqn, bqn.eval("•json.ParseLines")(text));
  // What stands in a file may be no text.
  if (const griddle::Result array = bqn.eval("•npy.Parse •FBytes \"/f\""); fuzz::look_at(bqn, array), array)
    if (const griddle::Result back = bqn.eval("•npy.Parse•npy.Format")(*array)) fuzz::look_at(bqn, back);
  fuzz::look_at(bqn, bqn.eval("•npy.ParseFile \"/f\""));
  // The first line is a pattern for the others.
  const std::string all = file.contents;
  const std::size_t line = std::min(all.find('\n'), all.size());
  const griddle::Any pattern = bqn.text(all.substr(0, line)), subject = bqn.text(all.substr(line));
  for (const char* program :
       {"•re.GroupsAll", "•re.Split", "{⟨𝕨,\"<$0>\"⟩•re.Replace 𝕩}", "{r←{caseless⇐1,steps⇐10000}•re.Compile 𝕨 ⋄ r.FindAll 𝕩}"})
    fuzz::look_at(bqn, bqn.eval(program)(pattern, subject));
  if (const griddle::Result time = bqn.eval("•date.Parse")(text)) {
    const griddle::Result fields = bqn.eval("•date.Fields⎊0")(*time);
    fuzz::require(bool(fields), "a time has fields, or lies in no year");
    // A zone may have moved it beyond all years.
    if (fields->is_array())
      fuzz::require(std::abs(bqn.eval("•date.OfFields")(*fields)->number() - time->number()) < 1e-6,
                    "fields are those of their time");
  }
  return 0;
}
