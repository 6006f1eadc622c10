// What the page and its workers call: an interpreter, and the language server that editors have. Texts go in and out as UTF-8,
// results as JSON. JavaScript gives the console: Module.griddle.write and Module.griddle.readLine (worker.js).
#include <emscripten.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repl/glyph_keys.h"
#include "repl/help/help.h"
#include "repl/server/language_server.h"
#include "repl/text.h"
#include "runtime/api/griddle.hpp"

namespace {

using namespace griddle;
using repl::Json;

EM_JS(void, page_write, (int is_error, const char* bytes, size_t count),
      { Module.griddle.write(is_error, HEAPU8.slice(bytes, bytes + count)); });
// Gives a line that the caller frees, or null.
EM_JS(char*, page_read_line, (), {
  const line = Module.griddle.readLine();
  return line == null ? 0 : allocateUTF8(line);
});

// Gives a text that the caller frees. JavaScript takes so many arguments at once, and not all.
EM_JS(char*, page_base64, (const char* bytes, size_t count), {
  let text = "";
  for (let i = 0; i < count; i += 8192)
    text += String.fromCharCode(... HEAPU8.subarray(bytes + i, bytes + Math.min(count, i + 8192)));
  return allocateUTF8(btoa(text));
});

class PageConsole final : public Console {
 public:
  void write(std::string_view text) override { page_write(0, text.data(), text.size()); }
  void write_error(std::string_view text) override { page_write(1, text.data(), text.size()); }
  bool read_line(std::string& line) override {
    char* const text = page_read_line();
    if (text == nullptr) return false;
    line = text;
    std::free(text);
    return true;
  }
};

PageConsole console;
Interpreter* interpreter = nullptr;
repl::LanguageServer* server = nullptr;
Json messages = Json::list({});
// What was given last, until the next call.
std::string given;

const char* give(const Json& json) {
  given = json.written();
  return given.c_str();
}

// Gives the address of data that stands for a picture.
std::string picture_address(std::string_view png) {
  char* const text = page_base64(png.data(), png.size());
  const std::string address = std::string("data:image/png;base64,") + text;
  std::free(text);
  return address;
}

// Says what an evaluation gave: value, as it is shown, and picture (an image, as a URL of data, or a text of SVG); or error, as
// it is reported, and exit, the status that the program asked for.
Json outcome(const Result& result) {
  Json told;
  if (!result) {
    const Failure& failure = result.failure();
    if (failure.cause == Failure::Cause::exit)
      told.add("exit", Json(failure.exit_code));
    else
      told.add("error", Json(failure.report));
    return told;
  }
  if (!result->has_value()) return Json::object({});
  const std::string picture = result->picture();
  const std::optional<std::string> text = picture.empty() ? result->text() : std::nullopt;
  if (!picture.empty()) told.add("picture", Json(picture_address(picture)));
  if (text && (text->starts_with("<svg ") || text->starts_with("<?xml ")) && text->find("<svg ") < 200)
    told.add("picture", Json(*text));
  told.add("value", Json(result->format()));
  return told;
}

}  // namespace

extern "C" {

// Begins anew. Programs may use so many bytes of the stack that this program measures: the browser's own, of which they use more
// and nobody knows how much, must not end first.
EMSCRIPTEN_KEEPALIVE void griddle_page_begin(std::size_t stack_bytes) {
  delete server;
  delete interpreter;
  Options options;
  options.console = &console;
  options.stack_bytes = stack_bytes;
  options.pictures = PictureForm::png;
  interpreter = new Interpreter(options);
  server = new repl::LanguageServer(*interpreter, [](const Json& message) { messages.push(message); });
}

EMSCRIPTEN_KEEPALIVE const char* griddle_page_evaluate(const char* source, const char* name) {
  return give(outcome(interpreter->eval(source, name)));
}

// Evaluates a line whose names the next ones know.
EMSCRIPTEN_KEEPALIVE const char* griddle_page_enter(const char* source) {
  return give(outcome(interpreter->eval_in_session(source)));
}

// Runs a file; `arguments` is a list of texts as JSON.
EMSCRIPTEN_KEEPALIVE const char* griddle_page_run_file(const char* path, const char* arguments) {
  std::vector<std::string> words;
  const std::optional<Json> list = Json::read(arguments);
  if (list)
    for (const Json& word : list->items()) words.push_back(word.text());
  return give(outcome(interpreter->run_file(path, words)));
}

// Hands the language server a message of the Language Server Protocol; gives a list of what it says.
EMSCRIPTEN_KEEPALIVE const char* griddle_page_tell(const char* message) {
  messages = Json::list({});
  if (const std::optional<Json> read = Json::read(message)) server->take(*read);
  server->tell_errors();
  return give(messages);
}

// Lists the glyphs in the order of the keys that type them behind a backslash: glyph, key, and what is to know in one line.
EMSCRIPTEN_KEEPALIVE const char* griddle_page_glyphs() {
  Json list = Json::list({});
  for (char32_t key = U' '; key < 127; key++)
    if (const char32_t glyph = repl::glyph_of_key(key))
      list.push(Json::object({{"glyph", Json(repl::utf8_of({&glyph, 1}))},
                              {"key", Json(repl::utf8_of({&key, 1}))},
                              {"line", Json(repl::glyph_line(glyph).value_or(""))}}));
  return give(list);
}

EMSCRIPTEN_KEEPALIVE const char* griddle_page_version() { return griddle_version(); }
}
