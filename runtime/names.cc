#include "runtime/names.h"

namespace griddle {

namespace {

constexpr char case_step = 'a' - 'A';

// Where the byte stands that tells whether the first letter is a capital: À to Þ and à to þ begin with C3.
std::size_t telling_byte(std::string_view word) { return word.size() > 1 && word[0] == '\xC3' ? 1 : 0; }
bool begins_with_capital(std::string_view word) {
  const std::size_t at = telling_byte(word);
  const auto byte = static_cast<unsigned char>(word[at]);
  return at == 0 ? byte >= 'A' && byte <= 'Z' : byte >= 0x80 && byte <= 0x9E && byte != 0x97;
}
bool begins_with_small_letter(std::string_view word) {
  const std::size_t at = telling_byte(word);
  const auto byte = static_cast<unsigned char>(word[at]);
  return at == 0 ? byte >= 'a' && byte <= 'z' : byte >= 0xA0 && byte <= 0xBE && byte != 0xB7;
}

}  // namespace

std::string normalised_name(std::string_view name) {
  std::string r;
  r.reserve(name.size());
  for (std::size_t i = 0; i < name.size(); i++) {
    char c = name[i];
    if (c == '_') continue;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    // À..Þ except × are C3 80 .. C3 9E in UTF-8; their small forms lie 32 further.
    if (static_cast<unsigned char>(c) == 0xC3 && i + 1 < name.size()) {
      unsigned char d = static_cast<unsigned char>(name[++i]);
      if (d >= 0x80 && d <= 0x9E && d != 0x97) d = static_cast<unsigned char>(d + 32);
      r.push_back(c);
      r.push_back(static_cast<char>(d));
      continue;
    }
    r.push_back(c);
  }
  return r;
}

Role role_of_word(std::string_view word) {
  if (word.starts_with('_')) return word.ends_with('_') ? Role::modifier2 : Role::modifier1;
  return begins_with_capital(word) ? Role::function : Role::subject;
}

std::string spelled(std::string_view name, Role role) {
  constexpr std::string_view dot = "•";
  std::string result(name.starts_with(dot) ? dot : "");
  name.remove_prefix(result.size());
  const std::size_t first = name.find_first_not_of('_');
  if (first == name.npos) return "";
  std::string word(name.substr(first, name.find_last_not_of('_') + 1 - first));
  const bool is_modifier = role == Role::modifier1 || role == Role::modifier2;
  char& telling = word[telling_byte(word)];
  if (role == Role::function && begins_with_small_letter(word)) telling = static_cast<char>(telling - case_step);
  if (role == Role::subject && begins_with_capital(word)) telling = static_cast<char>(telling + case_step);
  return result.append(is_modifier ? "_" : "").append(word).append(role == Role::modifier2 ? "_" : "");
}

}  // namespace griddle
