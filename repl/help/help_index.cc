#include "repl/help/help_index.h"

#include <algorithm>

#include "runtime/similar.h"

namespace griddle::repl {

namespace {

constexpr std::string_view glyph_pages = "glyphs/", system_pages = "system/", index_page = "README.md";

std::string_view trimmed_blanks(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" `");
  if (start == text.npos) return {};
  return text.substr(start, text.find_last_not_of(" `") + 1 - start);
}

// Gives a name as it is compared.
std::string key_of(std::string_view name) {
  std::string key = compared_name(name);
  std::erase(key, ' ');
  return key;
}

// Cuts a heading into what it names: "•Fmt, •Repr", "Sort up and sort down".
std::vector<std::string_view> names_in(std::string_view heading) {
  std::vector<std::string_view> names;
  constexpr std::string_view conjunction = " and ";
  while (!heading.empty()) {
    const std::size_t comma = std::min(heading.find(','), heading.size());
    const std::size_t word = std::min(heading.find(conjunction), heading.size());
    const std::size_t end = std::min(comma, word);
    if (const std::string_view name = trimmed_blanks(heading.substr(0, end)); !name.empty()) names.push_back(name);
    heading.remove_prefix(std::min(heading.size(), end + (end == comma ? 1 : conjunction.size())));
  }
  return names;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Tells whether a text holds a word, in small or capital letters.
bool holds_word(std::string_view text, std::string_view word) {
  const std::string wanted = compared_name(word);
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (is_letter(text[end]) || (text[end] >= '0' && text[end] <= '9' && end > at))) end++;
    if (end - at == wanted.size() && compared_name(text.substr(at, end - at)) == wanted) return true;
    at = std::max(end, at + 1);
  }
  return false;
}

// Cuts the heading of a glyph into glyphs and names: "⍷ Deduplicate, Find".
void read_glyphs(Section& section) {
  std::string_view rest = section.heading;
  while (!rest.empty() && !is_letter(rest[0])) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    section.glyphs.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  section.names = names_in(rest);
}

Section make_section(const Page& page, std::string_view heading, std::string_view body, bool begins_page) {
  Section section{&page, heading, body, begins_page, {}, {}};
  // The title of a page names its glyphs behind a colon.
  if (!begins_page && page.path.starts_with(glyph_pages))
    read_glyphs(section);
  else
    section.names = names_in(heading.substr(0, heading.find(": ")));
  return section;
}

}  // namespace

std::string_view HelpIndex::name_of(const Page& page) {
  std::string_view name = page.path;
  name.remove_prefix(name.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

HelpIndex::HelpIndex(std::span<const Page> pages) {
  for (const Page& page : pages) {
    if (page.path == index_page) continue;
    std::string_view heading;
    bool begins_page = true, in_example = false;
    std::size_t start = 0;
    for (std::size_t at = 0; at < page.text.size();) {
      const std::size_t end = std::min(page.text.find('\n', at), page.text.size());
      const std::string_view line = page.text.substr(at, end - at);
      const bool opens_section = !in_example && line.starts_with("## ");
      if (line.starts_with("```")) in_example = !in_example;
      if (opens_section) {
        sections_.push_back(make_section(page, heading, page.text.substr(start, at - start), begins_page));
        begins_page = false;
      }
      if (opens_section || (at == 0 && line.starts_with("# "))) {
        heading = line.substr(line.find(' ') + 1);
        start = std::min(end + 1, page.text.size());
      }
      at = end + 1;
    }
    sections_.push_back(make_section(page, heading, page.text.substr(start), begins_page));
  }
}

std::vector<const Section*> HelpIndex::sections_of(const Page& page) const {
  std::vector<const Section*> found;
  for (const Section& section : sections_)
    if (section.page == &page) found.push_back(&section);
  return found;
}

std::vector<const Section*> HelpIndex::find(std::string_view topic) const {
  std::vector<const Section*> found;
  const auto collect = [&](auto fits) {
    for (const Section& section : sections_)
      if (found.empty() || section.begins_page || !found[0]->begins_page)
        if (fits(section)) found.push_back(&section);
    return !found.empty();
  };
  const auto names_it = [](const Section& section, const std::string& key) {
    return std::any_of(section.names.begin(), section.names.end(), [&](std::string_view name) { return key_of(name) == key; });
  };
  // A glyph.
  if (collect([&](const Section& s) { return std::find(s.glyphs.begin(), s.glyphs.end(), topic) != s.glyphs.end(); }))
    return found;
  // A system value, with or without a field of it.
  if (topic.starts_with("•")) {
    const std::string_view name = topic.substr(0, topic.find('.'));
    const std::string key = key_of(name);
    // A word of a heading is none of the system's names, though the letters may be the same.
    const auto is_system_name = [&](std::string_view known) { return known.starts_with("•") && key_of(known) == key; };
    if (collect([&](const Section& s) {
          return s.page->path.starts_with(system_pages) && std::any_of(s.names.begin(), s.names.end(), is_system_name);
        }))
      return found;
    collect([&](const Section& s) { return s.page->path.starts_with(system_pages) && names_it(s, key); });
    return found;
  }
  const std::string key = key_of(topic);
  if (key.empty()) return found;
  if (collect([&](const Section& s) { return !s.glyphs.empty() && names_it(s, key); })) return found;
  std::string_view path = topic;
  if (path.ends_with(".md")) path.remove_suffix(std::string_view(".md").size());
  const auto is_page = [&](const Section& s) {
    return s.begins_page &&
           (name_of(*s.page) == topic || s.page->path.substr(0, s.page->path.rfind('.')) == path || names_it(s, key));
  };
  if (collect(is_page)) return found;
  if (collect([&](const Section& s) { return names_it(s, key); })) return found;
  // A page and one of its headings: "blocks headers".
  if (collect([&](const Section& s) {
        return !s.begins_page && topic.starts_with(name_of(*s.page)) &&
               key_of(topic.substr(name_of(*s.page).size())) == key_of(s.heading);
      }))
    return found;
  constexpr std::size_t least = 3;
  if (key.size() < least) return found;
  if (collect([&](const Section& s) {
        return std::any_of(s.names.begin(), s.names.end(), [&](std::string_view name) { return key_of(name).starts_with(key); });
      }))
    return found;
  // A field of a system value, such as Sin.
  collect([&](const Section& s) { return s.page->path.starts_with(system_pages) && holds_word(s.body, topic); });
  return found;
}

std::vector<std::string> HelpIndex::similar(std::string_view topic) const {
  constexpr std::size_t most = 6;
  std::vector<std::string_view> known;
  for (const Section& section : sections_) {
    known.insert(known.end(), section.names.begin(), section.names.end());
    if (section.begins_page) known.push_back(name_of(*section.page));
  }
  std::vector<std::string> names = similar_names(topic, known, most);
  const std::string key = key_of(topic);
  for (const std::string_view name : known)
    if (names.size() < most && key.size() > 2 && key_of(name).find(key) != std::string::npos &&
        std::find(names.begin(), names.end(), name) == names.end())
      names.emplace_back(name);
  return names;
}

}  // namespace griddle::repl
