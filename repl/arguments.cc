#include "repl/arguments.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

namespace griddle::repl {

const char* const usage =
    "Usage: bqn [options] [file.bqn [arguments]]\n"
    "\n"
    "Runs a file, or what the options say, in order. Without any of these it starts a session.\n"
    "Words after -e, -p, -o or --explain that are no options are passed on as •args.\n"
    "\n"
    "  -f FILE    run a file; everything after it is passed on as •args\n"
    "  -e CODE    run code; what several options name, the next ones and the session know\n"
    "  -p CODE    run code and print its result, formatted\n"
    "  -o CODE    run code and print its result, which must be a string, as it is\n"
    "  --explain CODE\n"
    "             run code and show how it is read, its instructions, and which fast paths served it\n"
    "  --profile  show at the end, on standard error, which lines and instructions took the time\n"
    "  -          run what standard input holds; everything after it is passed on as •args\n"
    "  --         end the options: what follows is a file and its arguments, or arguments alone\n"
    "  -r         start a session after the rest, which knows the names of a file\n"
    "  -s         start a session without prompts\n"
    "  --lsp      serve an editor by the Language Server Protocol, on standard input and output\n"
    "  -M MB      use at most this many megabytes of memory\n"
    "  --safe     refuse programs files, other programs, foreign functions and the environment\n"
    "  --allow WHAT\n"
    "             refuse programs all that WHAT does not name: read-files, write-files, run-programs,\n"
    "             call-foreign, see-environment, read-clock, with commas between\n"
    "  --root FOLDER\n"
    "             let programs read and write files in this folder alone, and below\n"
    "  --help     print this text, like -h; with a TOPIC behind it, such as ⍷, under, •HashMap or topics,\n"
    "             what the specification says of it\n"
    "  --version  print the version, the instruction sets and the device in use, like -v\n"
    "\n"
    "In a session )help lists what it understands beside BQN; a backslash and a key type a glyph.\n";

namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

constexpr std::pair<std::string_view, griddle_capability> capabilities[] = {
    {"read-files", griddle_may_read_files},           {"write-files", griddle_may_write_files},
    {"run-programs", griddle_may_run_programs},       {"call-foreign", griddle_may_call_foreign},
    {"see-environment", griddle_may_see_environment}, {"read-clock", griddle_may_read_clock},
};

class Parser {
 public:
  Parser(int count, const char* const* words) : words_(words + 1, words + count) {}

  CommandLine parse() {
    while (next_ < words_.size() && line_.problem.empty()) {
      const std::string& word = words_[next_++];
      if (word == "--help" || word == "-h")
        help();
      else if (word == "--version" || word == "-v")
        line_.version = true;
      else if (word == "--profile")
        line_.profile = true;
      else if (word == "--lsp")
        line_.serves_editor = true;
      else if (word == "--safe")
        allow("read-clock");
      else if (takes_argument(word) && next_ == words_.size())
        line_.problem = word + " needs an argument";
      else if (word == "--allow")
        allow(words_[next_++]);
      else if (word == "--root" && (line_.root = words_[next_++]).empty())
        line_.problem = "--root needs a folder";
      else if (word == "--root")
        continue;
      else if (word == "--explain")
        line_.actions.push_back({Action::Kind::explain, words_[next_++]});
      else if (word == "-")
        program(Action::Kind::input, "");
      else if (word == "--")
        take_rest();
      else if (word.size() > 1 && word[0] == '-')
        letters(word);
      else
        next_--, take_rest();
    }
    if (line_.serves_editor && (!line_.actions.empty() || line_.session)) line_.problem = "--lsp runs no programs";
    if (line_.actions.empty() && !line_.help && !line_.version && !line_.serves_editor) line_.session = true;
    return std::move(line_);
  }

 private:
  static bool takes_argument(std::string_view word) { return word == "--explain" || word == "--allow" || word == "--root"; }

  // Words behind --help, up to the end, are a topic.
  void help() {
    line_.help = true;
    if (next_ == words_.size() || (words_[next_].size() > 1 && words_[next_][0] == '-')) return;
    for (; next_ < words_.size(); next_++) line_.topic.append(line_.topic.empty() ? "" : " ").append(words_[next_]);
  }

  // Permits what a list names; the first list that comes takes away all else.
  void allow(std::string_view list) {
    if (!limits_) line_.capabilities = 0;
    limits_ = true;
    while (!list.empty()) {
      const std::string_view name = list.substr(0, list.find(','));
      list.remove_prefix(std::min(list.size(), name.size() + 1));
      const auto* const found =
          std::find_if(std::begin(capabilities), std::end(capabilities), [&](const auto& each) { return each.first == name; });
      if (found == std::end(capabilities)) {
        line_.problem = "--allow knows no " + std::string(name);
        return;
      }
      line_.capabilities |= found->second;
    }
  }

  // Takes what follows the options: arguments of code, or else a file and its own.
  void take_rest() {
    if (line_.actions.empty() && next_ < words_.size())
      program(Action::Kind::file, words_[next_++]);
    else
      take_arguments();
  }
  void take_arguments() {
    line_.program_arguments.assign(words_.begin() + static_cast<std::ptrdiff_t>(next_), words_.end());
    next_ = words_.size();
  }

  // Adds a program that takes everything that follows as its arguments.
  void program(Action::Kind kind, std::string path) {
    line_.actions.push_back({kind, std::move(path)});
    take_arguments();
  }

  void letters(const std::string& word) {
    for (std::size_t i = 1; i < word.size() && line_.problem.empty(); i++) {
      char letter = word[i];
      if (letter == 'r' || letter == 's') {
        line_.session = true;
        line_.silent |= letter == 's';
        continue;
      }
      if (std::string_view("fepoM").find(letter) == std::string_view::npos) {
        line_.problem = "Unknown option: " + word;
      } else if (i + 1 < word.size()) {
        line_.problem = std::string("-") + letter + " must end the option: " + word;
      } else if (next_ == words_.size()) {
        line_.problem = std::string("-") + letter + " needs an argument";
      } else {
        option(letter, words_[next_++]);
      }
    }
  }

  void option(char letter, const std::string& argument) {
    switch (letter) {
      case 'f': return program(Action::Kind::file, argument);
      case 'e': line_.actions.push_back({Action::Kind::run, argument}); break;
      case 'p': line_.actions.push_back({Action::Kind::print, argument}); break;
      case 'o': line_.actions.push_back({Action::Kind::print_raw, argument}); break;
      default: {
        std::size_t count = 0;
        auto parsed = std::from_chars(argument.data(), argument.data() + argument.size(), count);
        if (parsed.ec != std::errc() || parsed.ptr != argument.data() + argument.size() || count == 0 ||
            count > ~std::size_t{0} / megabyte)
          line_.problem = "-M needs a number of megabytes: " + argument;
        line_.memory_limit = count * megabyte;
      }
    }
  }

  std::vector<std::string> words_;
  std::size_t next_ = 0;
  bool limits_ = false;  // there was a list of what is permitted
  CommandLine line_;
};

}  // namespace

CommandLine parse_command_line(int count, const char* const* words) { return Parser(count, words).parse(); }

}  // namespace griddle::repl
