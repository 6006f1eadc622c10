#include "repl/keys.h"

#include <cstring>
#include <string_view>

#include "repl/text.h"

namespace griddle::repl {

namespace {

using Kind = Key::Kind;

constexpr char escape = 0x1B;

struct Name {
  std::string_view bytes;
  Kind kind;
};
// What follows the escape character.
constexpr Name sequences[] = {
    {"[A", Kind::up},
    {"[B", Kind::down},
    {"[C", Kind::right},
    {"[D", Kind::left},
    {"OA", Kind::up},
    {"OB", Kind::down},
    {"OC", Kind::right},
    {"OD", Kind::left},
    {"[H", Kind::row_start},
    {"[F", Kind::row_end},
    {"OH", Kind::row_start},
    {"OF", Kind::row_end},
    {"[1~", Kind::row_start},
    {"[4~", Kind::row_end},
    {"[7~", Kind::row_start},
    {"[8~", Kind::row_end},
    {"[3~", Kind::erase},
    {"[1;5C", Kind::word_right},
    {"[1;5D", Kind::word_left},
    {"[1;3C", Kind::word_right},
    {"[1;3D", Kind::word_left},
    {"[200~", Kind::paste_begins},
    {"[201~", Kind::paste_ends},
    {"b", Kind::word_left},
    {"f", Kind::word_right},
    {"d", Kind::cut_word_right},
    {"\r", Kind::new_row},
    {"\n", Kind::new_row},
    {"\x7F", Kind::cut_word_left},
    {"OP", Kind::describe},
    {"[11~", Kind::describe},
    {"h", Kind::describe},
};

// What Ctrl with a letter means, from Ctrl-A on.
constexpr Kind controls[] = {
    Kind::row_start, Kind::left,      Kind::cancel,       Kind::erase_or_end, Kind::row_end,       Kind::right,
    Kind::leave,     Kind::backspace, Kind::tab,          Kind::enter,        Kind::cut_to_end,    Kind::clear_screen,
    Kind::enter,     Kind::down,      Kind::unknown,      Kind::up,           Kind::unknown,       Kind::search,
    Kind::unknown,   Kind::exchange,  Kind::cut_to_start, Kind::unknown,      Kind::cut_word_left, Kind::unknown,
    Kind::paste,     Kind::undo,
};

}  // namespace

Key KeyDecoder::done(Key key) {
  waiting_.clear();
  return key;
}

std::optional<Key> KeyDecoder::feed(unsigned char byte) {
  if (waiting_.empty()) return plain(byte);
  return waiting_[0] == escape ? sequence(byte) : continued(byte);
}

std::optional<Key> KeyDecoder::plain(unsigned char byte) {
  if (byte == escape || byte >= 0x80) {
    waiting_ = static_cast<char>(byte);
    return std::nullopt;
  }
  if (byte >= ' ' && byte != 0x7F) return Key{Kind::character, byte};
  if (byte >= 1 && byte <= std::size(controls)) return Key{controls[byte - 1]};
  return Key{byte == 0x7F ? Kind::backspace : byte == 0x1F ? Kind::undo : Kind::unknown};
}

std::optional<Key> KeyDecoder::continued(unsigned char byte) {
  constexpr std::size_t longest = 4;
  if (byte >> 6 != 2) {
    // What came before was no UTF-8.
    waiting_.clear();
    return plain(byte);
  }
  waiting_ += static_cast<char>(byte);
  const auto first = static_cast<unsigned char>(waiting_[0]);
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : longest;
  if (waiting_.size() < length) return std::nullopt;
  return done({Kind::character, code_points_of(waiting_)[0]});
}

std::optional<Key> KeyDecoder::sequence(unsigned char byte) {
  waiting_ += static_cast<char>(byte);
  const std::string_view rest = std::string_view(waiting_).substr(1);
  for (const Name& name : sequences)
    if (name.bytes == rest) return done({name.kind});
  const bool opens = rest == "[" || rest == "O";
  // Other sequences end in a letter or ~.
  const bool inner = rest.size() > 1 && rest[0] == '[' && std::strchr("0123456789;?", byte) != nullptr;
  if (opens || inner) return std::nullopt;
  return done({Kind::unknown});
}

}  // namespace griddle::repl
