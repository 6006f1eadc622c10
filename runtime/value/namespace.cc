#include "runtime/value/namespace.h"

#include <algorithm>
#include <numeric>

#include "runtime/value/array.h"

namespace griddle {

const FieldTable::Field* FieldTable::find(std::string_view name) const {
  constexpr std::size_t few = 32;
  if (fields.size() <= few) {
    for (const Field& f : fields)
      if (f.name == name) return &f;
    return nullptr;
  }
  if (by_name_.size() != fields.size()) {
    std::vector<std::uint32_t> order(fields.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return fields[a].name < fields[b].name; });
    by_name_ = std::move(order);
  }
  const auto at = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                   [&](std::uint32_t i, std::string_view wanted) { return fields[i].name < wanted; });
  return at != by_name_.end() && fields[*at].name == name ? &fields[*at] : nullptr;
}

Value make_namespace(Heap& heap, Ref<FieldTable> table, Ref<Environment> environment) {
  Namespace* n = static_cast<Namespace*>(heap.allocate(sizeof(Namespace)));
  static_cast<Object&>(*n) = Object{1, ObjectKind::name_space, 0, 0, 0};
  n->table = table.leak();
  n->environment = environment.leak();
  enlist_object(heap, n);
  return Value(n);
}

Value make_namespace(Heap& heap, std::vector<std::pair<std::string, Value>> fields) {
  Ref<FieldTable> table = make_native<FieldTable>(heap);
  Ref<Environment> environment = make_environment(heap, nullptr, static_cast<std::uint32_t>(fields.size()));
  for (std::uint32_t i = 0; i < fields.size(); i++) {
    table->fields.push_back({normalised_name(fields[i].first), fields[i].first, i});
    environment->slots()[i] = std::move(fields[i].second);
  }
  return make_namespace(heap, std::move(table), std::move(environment));
}

Value field(const Namespace& n, std::string_view name) {
  const FieldTable::Field* f = n.table->find(name);
  return f ? n.environment->slots()[f->slot] : Value();
}

}  // namespace griddle
