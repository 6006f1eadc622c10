// A service that runs programs nobody trusts: each line of input is one, and is answered by a line of JSON, with its value
// and what it wrote, or why there is none. spec/embedding/untrusted.md explains it.
// input: +´↕101
// output: {"request":1,"ok":true,"value":5050,"output":""}
// input: •Out "hello" ⋄ {name⇐"Ana" ⋄ table⇐2‿3⥊↕6 ⋄ Mean⇐+´÷≠}
// output: {"request":2,"ok":true,"value":{"name":"Ana","table":[0,1,2,3,4,5],"mean":"+´÷≠"},"output":"hello\n"}
// input: 1+
// output: {"request":3,"ok":false,"cause":"error","message":"Expected an argument right of the function"}
// input: 2+"a"‿"b"×3
// output: {"request":4,"ok":false,"cause":"error","message":"Multiply: Expected numbers (got character and 3)"}
// input: "my own message" ! 0
// output: {"request":5,"ok":false,"cause":"error","message":"my own message"}
// input: {𝕩+1}•_while_(1˙) 0
// output: {"request":6,"ok":false,"cause":"steps","message":"The step limit is reached"}
// input: {1+𝕊𝕩} 0
// output: {"request":7,"ok":false,"cause":"error","message":"Stack overflow"}
// input: {𝕩∾𝕩}⍟60 "a"
// output: {"request":8,"ok":false,"cause":"error","message":"Out of memory"}
// input: (+´⋆∘↕)¨1e6⥊1e6
// output: {"request":9,"ok":false,"cause":"timeout","message":"The time limit is reached"}
// input: {𝕊: •Out 1e4⥊"spam "}¨↕1e6
// output: {"request":10,"ok":false,"cause":"error","message":"The program writes more than it may"}
// input: ↕1e7
// output: {"request":11,"ok":false,"cause":"error","message":"The value is too large to answer with"}
// input: {⟨𝕩⟩}⍟1000 0
// output: {"request":12,"ok":false,"cause":"error","message":"The value is too large to answer with"}
// input: •FLines "/etc/passwd"
// output: {"request":13,"ok":false,"cause":"error","message":"•FLines: This is not permitted in safe mode"}
// input: •SH ⟨"echo","hello"⟩
// output: {"request":14,"ok":false,"cause":"error","message":"•SH: This is not permitted in safe mode"}
// input: "libc.so.6" •FFI ⟨"","abort"⟩
// output: {"request":15,"ok":false,"cause":"error","message":"•FFI: This is not permitted in safe mode"}
// input: •Exit 3
// output: {"request":16,"ok":false,"cause":"exit","message":"The program ended itself (3)"}
// input: •Out @+0‿9‿27‿34‿92‿127‿960
// output: {"request":17,"ok":true,"value":"\u0000\u0009\u001b\"\\π","output":"\u0000\u0009\u001b\"\\π\n"}
// input: ⟨÷0,¯3.5,'x',"",⟨⟩,+´⟩
// output: {"request":18,"ok":true,"value":[null,-3.5,"'x'",[],[],"+´"],"output":""}
// input: +´↕101
// output: {"request":19,"ok":true,"value":5050,"output":""}
#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>

#include "runtime/api/griddle.hpp"

namespace {

constexpr std::size_t answer_limit = 4096;  // bytes of a value as JSON
constexpr std::size_t nesting_limit = 16;

class Collector : public griddle::Console {
 public:
  void write(std::string_view text) override { written += text; }
  void write_error(std::string_view text) override { written += text; }
  std::string written;
};

griddle::Options limits(griddle::Console& console) {
  griddle::Options options;
  options.capabilities = 0;  // no files, no programs, no foreign functions, no clock
  options.console = &console;
  options.memory_limit = 64 << 20;
  options.output_limit = 1 << 16;
  options.step_limit = 1000000;
  options.depth_limit = 1000;
  return options;
}

std::string quoted(std::string_view utf8) {
  std::string json = "\"";
  for (const char c : utf8) {
    char escape[8];
    if (c == '"' || c == '\\')
      json += {'\\', c};
    else if (c == '\n')
      json += "\\n";
    else if (static_cast<unsigned char>(c) < ' ')
      json.append(escape, static_cast<std::size_t>(std::snprintf(escape, sizeof escape, "\\u%04x", c)));
    else
      json += c;
  }
  return json + '"';
}

// Appends a value as JSON: numbers, texts, lists, namespaces; all else as text. Says whether it stays within the limits: a value
// of little memory may have any number of elements, and hold itself.
bool append_json(std::string& json, const griddle::Any& value, std::size_t depth = 0) {
  if (json.size() > answer_limit || depth > nesting_limit || value.length() > answer_limit) return false;
  if (value.is_number()) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", value.number());
    json += std::isfinite(value.number()) ? digits : "null";
  } else if (value.is_text() && value.length() > 0) {
    json += quoted(*value.text());
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.length(); i++) {
      json += i == 0 ? '[' : ',';
      if (!append_json(json, value[i], depth + 1)) return false;
    }
    json += value.length() == 0 ? "[]" : "]";
  } else if (value.is_namespace()) {
    json += '{';
    for (const std::string& name : value.fields()) {
      if (json.back() != '{') json += ',';
      json += quoted(name) + ':';
      if (!append_json(json, value.field(name), depth + 1)) return false;
    }
    json += '}';
  } else {
    json += quoted(value.format());
  }
  return json.size() <= answer_limit;
}

// Runs a program and answers. Each one has an interpreter of its own: nothing of it is left for the next.
std::string answer(const std::string& program) {
  static constexpr const char* causes[] = {"error", "interrupt", "timeout", "steps", "exit"};
  Collector console;
  griddle::Interpreter bqn(limits(console));
  // One deadline for running the program and for showing its value.
  bqn.set_deadline(2);
  const griddle::Result result = bqn.eval(program);
  std::string json, cause = "error", message;
  if (!result) {
    cause = causes[static_cast<std::size_t>(result.failure().cause)];
    message = result.failure().message;
  } else if (append_json(json, *result)) {
    return "\"ok\":true,\"value\":" + json + ",\"output\":" + quoted(console.written);
  } else {
    message = "The value is too large to answer with";
  }
  return "\"ok\":false,\"cause\":" + quoted(cause) + ",\"message\":" + quoted(message);
}

}  // namespace

int main() {
  std::string program;
  for (int request = 1; std::getline(std::cin, program); request++)
    std::printf("{\"request\":%d,%s}\n", request, answer(program).c_str());
}
