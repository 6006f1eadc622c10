#include "repl/server/workspace.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>

#include "repl/server/imports.h"
#include "repl/text.h"
#include "runtime/files.h"

namespace griddle::repl {

namespace {

// Larger files are hardly sources that somebody wrote; folders may be links in circles, or hold what is no workspace.
constexpr long long largest_file = 4 << 20;
constexpr std::size_t most_files = 2000;
constexpr int deepest_folder = 8;
constexpr std::string_view suffix = ".bqn";

}  // namespace

Document& Workspace::open(const std::string& uri, OpenText text) {
  const std::string path = path_of_uri(uri);
  return open_.insert_or_assign(path, Document{path, uri, std::move(text)}).first->second;
}

bool Workspace::close(const std::string& uri) { return open_.erase(path_of_uri(uri)) > 0; }

Document* Workspace::opened(const std::string& uri) {
  const auto found = open_.find(path_of_uri(uri));
  return found == open_.end() ? nullptr : &found->second;
}

void Workspace::add_folder(const std::string& uri) {
  if (const std::string path = path_of_uri(uri); path.starts_with('/')) folders_.insert(path);
}

Document* Workspace::find(const std::string& path) {
  if (const auto found = open_.find(path); found != open_.end()) return &found->second;
  if (!path.starts_with('/')) return nullptr;
  File& file = files_[path];
  if (!looked_at_.insert(path).second) return file.document.get();
  struct stat status;
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > largest_file) {
    file = {};
    return nullptr;
  }
  constexpr long long second = 1'000'000'000;
  const long long time = status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec;
  if (file.time == time && file.size == status.st_size) return file.document.get();
  file = {time, status.st_size, nullptr};
  std::string bytes;
  // Only UTF-8 can be a source.
  if (read_file(path, bytes) && utf8_of(code_points_of(bytes)) == bytes)
    file.document = std::make_unique<Document>(Document{path, uri_of_path(path), OpenText(std::move(bytes), units)});
  return file.document.get();
}

Document* Workspace::imported(const Document& from, const std::string& path) {
  const std::size_t folder = from.path.rfind('/');
  // What has no file yet has no folder to start at.
  if (folder == from.path.npos || !from.path.starts_with('/')) return nullptr;
  return find(joined_path(std::string_view(from.path).substr(0, folder), path));
}

std::vector<std::string> Workspace::files_imported(Interpreter& interpreter) {
  std::vector<std::string> waiting;
  for (const auto& [path, document] : open_) waiting.push_back(path);
  std::set<std::string> seen(waiting.begin(), waiting.end());
  std::vector<std::string> files;
  while (!waiting.empty()) {
    const std::string path = std::move(waiting.back());
    waiting.pop_back();
    Document* const document = find(path);
    if (document == nullptr) continue;
    if (!open_.contains(path)) files.push_back(path);
    for (const Import& import : imports_of(document->text, document->text.reading(interpreter)))
      if (const Document* other = imported(*document, import.path); other != nullptr && seen.insert(other->path).second)
        waiting.push_back(other->path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

void Workspace::add_files(const std::string& folder, std::set<std::string>& paths, int depth) const {
  DIR* const listed = depth > deepest_folder ? nullptr : opendir(folder.c_str());
  if (listed == nullptr) return;
  std::vector<std::string> folders;
  while (const dirent* entry = readdir(listed)) {
    const std::string_view name = entry->d_name;
    if (name.starts_with('.') || paths.size() >= most_files) continue;
    std::string path = joined_path(folder, name);
    if (name.ends_with(suffix))
      paths.insert(std::move(path));
    else if (entry->d_type == DT_DIR)
      folders.push_back(std::move(path));
  }
  closedir(listed);
  for (const std::string& inner : folders) add_files(inner, paths, depth + 1);
}

std::vector<std::string> Workspace::paths(Interpreter& interpreter) {
  std::set<std::string> all;
  for (const std::string& folder : folders_) add_files(folder, all, 0);
  for (const auto& [path, document] : open_) all.insert(path);
  for (const std::string& path : files_imported(interpreter)) all.insert(path);
  return {all.begin(), all.end()};
}

}  // namespace griddle::repl
