// Namespace: named fields of an environment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/names.h"
#include "runtime/value/function.h"

namespace griddle {

// The fields that one body exports; shared by every namespace it makes. Names are normalised (lower case, no underscores).
struct FieldTable : NativeObject {
  struct Field {
    std::string name;      // normalised
    std::string spelling;  // as first exported, for display
    std::uint32_t slot;    // in the environment
  };
  std::vector<Field> fields;
  // Finds a normalised name; gives null where there is none.
  const Field* find(std::string_view name) const;

 private:
  // Numbers of the fields by their names, where they are many and one was looked for.
  mutable std::vector<std::uint32_t> by_name_;
};

struct Namespace : Object {
  FieldTable* table;         // owned
  Environment* environment;  // owned; fields are live slots of it
};

Value make_namespace(Heap&, Ref<FieldTable>, Ref<Environment>);
// Makes a namespace of fixed fields; used by system values and the host.
Value make_namespace(Heap&, std::vector<std::pair<std::string, Value>> fields);
// Gives the field's value, or the absent value. `name` is normalised.
Value field(const Namespace&, std::string_view name);

}  // namespace griddle
