// Arrays in files of NumPy: •npy
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/system/data/npy_reader.h"
#include "runtime/system/data/npy_writer.h"
#include "runtime/system/data/zip_archive.h"
#include "runtime/system/files/file_contents.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"

namespace griddle::system_functions {

namespace {

constexpr std::string_view array_suffix = ".npy";

// --- reading

Value read_array(Context& cx, const Function& self, const NpyOptions& options, ByteSource source) {
  return NpyReader(cx, self, source, options.fails_beyond).read();
}

// Gives names over arrays; what is no array comes as its bytes.
Value read_archive(Context& cx, const Function& self, const NpyOptions& options, std::string_view bytes) {
  const std::vector<ZipEntry> entries = zip_entries(cx, self, bytes);
  const std::size_t shape[] = {2, entries.size()};
  Ref<Array> table = make_array(cx.heap, ElementType::boxed, shape);
  Value* const names = table->as<Value>();
  for (std::size_t i = 0; i < entries.size(); i++) {
    const ZipEntry& entry = entries[i];
    std::string_view name = entry.name;
    Value contents = unpacked(cx, self, entry);
    const std::string_view unpacked_bytes(contents.array().as<char>(), entry.size);
    if (name.ends_with(array_suffix)) {
      name.remove_suffix(array_suffix.size());
      contents = read_array(cx, self, options, ByteSource(cx, self, unpacked_bytes));
    }
    names[i] = make_string(cx.heap, name);
    names[entries.size() + i] = std::move(contents);
  }
  return to_value(std::move(table));
}

Value read_file_bytes(Context& cx, const Function& self, const NpyOptions& options, std::string_view bytes) {
  if (bytes.starts_with(zip_magic)) return read_archive(cx, self, options, bytes);
  return read_array(cx, self, options, ByteSource(cx, self, bytes));
}

Value parse_npy_with(Context& cx, const Function& self, Value w, Value x) {
  const NpyOptions options = npy_parse_options(cx, self, w);
  const BytesToWrite bytes = BytesToWrite::of_bytes(cx, self, x);
  return read_file_bytes(cx, self, options, bytes.view());
}
Value parse_npy(Context& cx, const Function& self, Value x) { return parse_npy_with(cx, self, Value(), std::move(x)); }

Value parse_npy_file_with(Context& cx, const Function& self, Value w, Value x) {
  const NpyOptions options = npy_parse_options(cx, self, w);
  const auto read_all = [&](const Value& bytes) {
    return read_file_bytes(cx, self, options, {bytes.array().as<char>(), bytes.array().length});
  };
  if (cx.system->files != nullptr) return read_all(read_bytes(cx, self, x));
  const std::string path = path_argument(cx, self, x);
  const Descriptor file = open_descriptor(path, O_RDONLY);
  if (!file) fail_system(cx, self, "Cannot read the file", path);
  // Elements of an array go from the file to where they belong, if its size is known.
  const std::size_t size = file.expected_size();
  char start[zip_magic.size()];
  const bool is_array = size >= sizeof start &&
                        pread(file.number, start, sizeof start, 0) == static_cast<ssize_t>(sizeof start) &&
                        std::string_view(start, sizeof start) != zip_magic;
  if (!is_array) return read_all(read_rest(cx, self, file, path));
  return read_array(cx, self, options, ByteSource(cx, self, file, size, path));
}
Value parse_npy_file(Context& cx, const Function& self, Value x) { return parse_npy_file_with(cx, self, Value(), std::move(x)); }

// --- writing

// Tells whether a table is one of names over arrays.
bool has_names(const Array& a) {
  return a.type() == ElementType::boxed && a.rank() == 2 && a.shape()[0] == 2 && a.length > 0 &&
         std::ranges::all_of(a.boxes().first(a.length / 2), is_string) &&
         !std::ranges::all_of(a.boxes().subspan(a.length / 2), is_string);
}

Value format_npy_with(Context& cx, const Function& self, Value w, Value x) {
  const NpyOptions options = npy_format_options(cx, self, w);
  NpyWriter writer(cx, self, options);
  if (!x.is_namespace() && !(x.is_array() && has_names(x.array()))) return writer.file_of(x);
  ZipWriter archive(cx, self);
  const auto add = [&](std::string name, const Value& array) {
    const Value file = writer.file_of(array);
    archive.add(name.append(array_suffix), {file.array().as<char>(), file.array().length}, options.compresses);
  };
  if (x.is_namespace()) {
    const Namespace& given = x.name_space();
    for (const FieldTable::Field& field : given.table->fields) add(field.spelling, given.environment->slots()[field.slot]);
  } else {
    const std::span<const Value> boxes = x.array().boxes();
    const std::size_t count = boxes.size() / 2;
    for (std::size_t i = 0; i < count; i++) add(string_argument(cx, self, boxes[i], "A name in 𝕩"), boxes[count + i]);
  }
  const std::string_view bytes = archive.finish();
  Ref<Array> result = make_list(cx.heap, ElementType::c8, bytes.size());
  std::ranges::copy(bytes, result->as<char>());
  return to_value(std::move(result));
}
Value format_npy(Context& cx, const Function& self, Value x) { return format_npy_with(cx, self, Value(), std::move(x)); }

constexpr SystemEntry npy_entries[] = {
    function_in_unit("•npy.Parse", parse_npy, parse_npy_with),
    function_in_unit("•npy.ParseFile", parse_npy_file, parse_npy_file_with).reaching(Reach::read_files),
    function_in_unit("•npy.Format", format_npy, format_npy_with),
};

}  // namespace

Value npy_namespace(Context& cx, Unit& unit) { return make_entry_namespace(cx, unit, npy_entries); }

}  // namespace griddle::system_functions
