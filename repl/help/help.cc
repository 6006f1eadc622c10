#include "repl/help/help.h"

#include <algorithm>

#include "repl/glyph_keys.h"
#include "repl/help/help_index.h"
#include "repl/help/help_text.h"
#include "repl/text.h"

namespace griddle::repl {

namespace {

constexpr std::size_t least_columns = 40, most_columns = 100;

const HelpIndex& help_index() {
  static const HelpIndex index(spec_pages());
  return index;
}

// Tells how a glyph is typed: "\E"; nothing where it is a key itself.
std::string key_text(std::string_view glyph) {
  const std::u32string characters = code_points_of(glyph);
  const char32_t key = characters.size() == 1 ? key_of_glyph(characters[0]) : 0;
  if (key == 0) return "";
  return key == U' ' ? "\\ and space" : "\\" + utf8_of({&key, 1});
}

// Gives the lines of a glyph's section that tell its meanings, without the mark in front.
std::vector<std::string> meanings_of(const Section& section) {
  std::vector<std::string> lines;
  for (std::size_t at = section.body.find("\n- "); at != section.body.npos; at = section.body.find("\n- ", at + 1))
    lines.push_back(plain_line(section.body.substr(at + 3, section.body.find('\n', at + 1) - at - 3)));
  return lines;
}

// Writes the last paragraph of a glyph's section, links to pages, as what to type.
std::string without_links(std::string_view body) {
  const std::size_t more = body.rfind("\nMore: ");
  return std::string(body.substr(0, more));
}
std::string links_of(std::string_view body) {
  std::string text;
  for (std::size_t at = body.rfind("\nMore: "); at != body.npos && (at = body.find('[', at)) != body.npos; at++) {
    const std::string_view path = body.substr(at + 1, body.find(']', at) - at - 1);
    text.append(text.empty() ? "" : ", ").append(")help ").append(path.substr(0, path.rfind('.')));
  }
  return text;
}

std::string text_of(const Section& section, std::size_t columns) {
  std::string text(plain_line(section.heading));
  if (section.glyphs.empty()) {
    const std::string body = plain_text(section.body, columns);
    return text + (body.empty() ? "\n" : "\n\n" + body);
  }
  for (const std::string_view glyph : section.glyphs)
    if (const std::string key = key_text(glyph); !key.empty())
      text += (text.find("   type ") == text.npos ? "   type " : ", ") +
              (section.glyphs.size() > 1 ? std::string(glyph) + " " : "") + key;
  text += "\n" + plain_text(without_links(section.body), columns);
  if (const std::string links = links_of(section.body); !links.empty()) text += "\nMore: " + links + "\n";
  return text;
}

// Gives a page's beginning and what its other parts are; all of a page that was asked for by its path, or has no parts.
std::string page_text(const Section& first, bool whole, std::size_t columns) {
  const std::vector<const Section*> sections = help_index().sections_of(*first.page);
  std::string text = text_of(first, columns);
  if (whole) {
    for (std::size_t i = 1; i < sections.size(); i++) text += "\n" + text_of(*sections[i], columns);
    return text;
  }
  if (sections.size() > 1) text += "\nParts of this page:\n";
  for (std::size_t i = 1; i < sections.size(); i++)
    text.append("  )help ").append(HelpIndex::name_of(*first.page)).append(" ").append(plain_line(sections[i]->heading)) += '\n';
  if (sections.size() > 1)
    text.append("All of it: )help ").append(first.page->path.substr(0, first.page->path.rfind('.'))) += '\n';
  return text;
}

// Lists the pages, from the table of the index.
std::string topics_text(std::size_t columns) {
  std::string table;
  const std::string_view index = spec_pages()[0].text;
  for (const Page& page : spec_pages().subspan(1)) {
    const std::string link = "](" + std::string(page.path) + ") | ";
    const std::size_t at = index.find(link);
    if (at == index.npos) continue;
    const std::string_view about = index.substr(at + link.size(), index.find('\n', at) - at - link.size());
    const bool is_glyphs = page.path.starts_with("glyphs/");
    table.append("| ")
        .append(is_glyphs ? page.path.substr(0, page.path.rfind('.')) : HelpIndex::name_of(page))
        .append(" | ")
        .append(about) += '\n';
  }
  return "Pages, each by )help and its name; a glyph, a name such as under or •HashMap, or a word of a heading does as "
         "well:\n\n" +
         plain_text(table, columns);
}

}  // namespace

Help help_for(std::string_view topic, std::size_t columns) {
  columns = std::clamp(columns, least_columns, most_columns);
  if (topic == "topics" || topic == "pages") return {true, topics_text(columns)};
  constexpr std::size_t most_shown = 2;
  const std::vector<const Section*> found = help_index().find(topic);
  Help help;
  for (const Section* section : found) {
    if (help.found) help.text += '\n';
    help.found = true;
    const bool whole = topic.find('/') != topic.npos;
    help.text += section->begins_page ? page_text(*section, whole, columns) : text_of(*section, columns);
    if (section == found[std::min(found.size(), most_shown) - 1]) break;
  }
  if (found.size() > most_shown) help.text += "\nAlso:";
  for (std::size_t i = most_shown; i < found.size(); i++)
    help.text.append(i > most_shown ? ", " : " ")
        .append(")help ")
        .append(HelpIndex::name_of(*found[i]->page))
        .append(" ")
        .append(plain_line(found[i]->heading));
  if (found.size() > most_shown) help.text += '\n';
  if (help.found) return help;
  help.text.append("There is no help on ").append(topic);
  const std::vector<std::string> names = help_index().similar(topic);
  for (const std::string& name : names) help.text.append(&name == names.data() ? "; there is on " : ", ").append(name);
  help.text += "; )help topics lists the pages\n";
  return help;
}

std::optional<std::string> help_markdown(std::string_view topic) {
  const std::vector<const Section*> found = help_index().find(topic);
  if (found.empty()) return std::nullopt;
  const Section& section = *found[0];
  std::string text = "### " + std::string(section.heading);
  for (const std::string_view& glyph : section.glyphs)
    if (const std::string key = key_text(glyph); !key.empty())
      text.append(&glyph == section.glyphs.data() ? " — " : ", ").append("`" + key + "`");
  // A link leads to another page, which an editor does not have: its text remains.
  std::string_view body = section.body;
  if (!section.glyphs.empty()) body = body.substr(0, body.rfind("\nMore: "));
  text += '\n';
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t link = std::min(body.find("](", at), body.size());
    text += body.substr(at, link - at);
    const std::size_t end = body.find(')', link);
    const std::size_t opening = text.rfind('[');
    if (link == body.size() || end == body.npos || opening == text.npos) break;
    text.erase(opening, 1);
    at = end + 1;
  }
  return text;
}

std::optional<std::string> glyph_line(char32_t character) {
  const std::string glyph = utf8_of({&character, 1});
  for (const Section* section : help_index().find(glyph)) {
    if (section->glyphs.empty()) continue;
    std::string line(section->heading);
    const std::string key = key_text(glyph);
    if (!key.empty()) line.append(" (").append(key).append(")");
    const std::vector<std::string> meanings = meanings_of(*section);
    for (const std::string& meaning : meanings) line.append(&meaning == meanings.data() ? "   " : "; ").append(meaning);
    return line;
  }
  return std::nullopt;
}

namespace {

// Gives the first sentence about a system value; nothing where there is none at the place.
std::optional<std::string> system_line(std::u32string_view text, std::size_t place) {
  std::size_t start = place, end = place;
  while (start > 0 && is_word(text[start - 1])) start--;
  while (end < text.size() && is_word(text[end])) end++;
  const std::string name = utf8_of(text.substr(start, end - start));
  if (!name.starts_with("•")) return std::nullopt;
  for (const Section* section : help_index().find(name)) {
    const std::string about = plain_text(section->body, text.npos);
    const std::size_t stop = std::min(about.find(". "), about.find('\n'));
    return plain_line(section->heading) + "   " + about.substr(0, stop);
  }
  return std::nullopt;
}

}  // namespace

std::string line_about(std::u32string_view text, std::size_t place) {
  for (const std::size_t at : {place, place - 1}) {
    if (at >= text.size()) continue;
    if (std::optional<std::string> line = system_line(text, at)) return *line;
    if (std::optional<std::string> line = glyph_line(text[at])) return *line;
  }
  return "No glyph stands at the cursor";
}

}  // namespace griddle::repl
