// The sources that belong together: those that an editor has open, those that they import, and those in the editor's folders.
// What is open counts; the rest is read from files, and again when they change.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "repl/server/open_text.h"

namespace griddle::repl {

struct Document {
  std::string path, uri;
  OpenText text;
};

class Workspace {
 public:
  // What an editor opens and closes, by its URI.
  Document& open(const std::string& uri, OpenText text);
  bool close(const std::string& uri);
  Document* opened(const std::string& uri);
  // A folder whose sources belong to it.
  void add_folder(const std::string& uri);
  bool has_folders() const { return !folders_.empty(); }

  // Files are looked at once between two calls.
  void look_anew() { looked_at_.clear(); }
  // Gives a source by its path, open or a file; null where there is none. It lives until the next call of look_anew and find.
  Document* find(const std::string& path);
  // Gives what an import in a source names.
  Document* imported(const Document& from, const std::string& path);
  // Gives the paths of all sources: open ones, what they import, and files in the folders.
  std::vector<std::string> paths(Interpreter&);
  // Gives the files that open sources import, and what these import, but for those that are open themselves.
  std::vector<std::string> files_imported(Interpreter&);

  CodeUnits units = CodeUnits::utf16;

 private:
  struct File {
    long long time = 0, size = -1;
    std::unique_ptr<Document> document;  // null: no source
  };
  void add_files(const std::string& folder, std::set<std::string>& paths, int depth) const;

  std::map<std::string, Document> open_;  // by path
  std::map<std::string, File> files_;
  std::set<std::string> looked_at_, folders_;
};

}  // namespace griddle::repl
