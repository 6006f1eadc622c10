#include "runtime/similar.h"

#include <algorithm>

namespace griddle {

std::string compared_name(std::string_view name) {
  constexpr std::string_view dot = "•";
  if (name.starts_with(dot)) name.remove_prefix(dot.size());
  std::string result;
  for (const char c : name)
    if (c != '_' && c != '.') result += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return result;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the usual table: the one before the last, the last, and the one being filled.
  std::vector<std::size_t> older, old(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); j++) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); i++) {
    older = old;
    old = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); j++) {
      row[j] = std::min({old[j] + 1, row[j - 1] + 1, old[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], older[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::vector<std::string> similar_names(std::string_view name, std::span<const std::string_view> known, std::size_t most) {
  constexpr std::size_t longest = 64;  // of what a person mistypes
  const std::string wanted = compared_name(name);
  if (wanted.empty() || wanted.size() > longest) return {};
  const std::size_t limit = wanted.size() < 3 ? 0 : (wanted.size() + 1) / 3;
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string_view other : known) {
    const std::string compared = compared_name(other);
    if (compared.size() > wanted.size() + limit || wanted.size() > compared.size() + limit) continue;
    const std::size_t distance = edit_distance(wanted, compared);
    if (distance <= limit && distance < compared.size()) found.emplace_back(distance, other);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  // One that is much nearer than others was meant.
  for (const auto& [distance, other] : found)
    if (names.size() < most && distance <= found[0].first + 1 && std::find(names.begin(), names.end(), other) == names.end())
      names.push_back(other);
  return names;
}

}  // namespace griddle
