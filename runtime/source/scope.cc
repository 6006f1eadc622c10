#include "runtime/source/scope.h"

#include <algorithm>

namespace griddle {

RootScope::RootScope(bool redefinition) : body_(arena_.make<ScopedBody>()), redefinition_(redefinition) {
  body_->has_environment = true;
}

Body* RootScope::body() { return body_; }

Binding& RootScope::define(std::string_view name, std::string_view spelling, Role role) {
  for (Binding* known : bindings_) {
    if (known->name != name) continue;
    known->changed = true;
    return *known;
  }
  bindings_.reserve(bindings_.size() + 1);
  ScopedBinding* binding = arena_.make<ScopedBinding>();
  binding->name = arena_.copy(name);
  binding->spelling = arena_.copy(spelling);
  binding->role = role;
  binding->captured = binding->changed = true;
  binding->body = body_;
  body_->add(*binding);
  bindings_.push_back(binding);
  body_->bindings = bindings_;
  return *binding;
}

void ScopedBody::add(ScopedBinding& binding) {
  if (!binding.is_label) binding.index = binding_count++;
  (last_binding == nullptr ? first_binding : last_binding->next) = &binding;
  last_binding = &binding;
}

Scopes::Scopes(Arena& arena, SymbolTable& symbols, RootScope* shared, const OuterScope* outer, std::vector<NameMention>* mentions)
    : arena_(arena), symbols_(symbols), shared_(shared), outer_(outer), mentions_(mentions) {}

Scopes::~Scopes() {
  if (shared_ == nullptr || accepted_) return;
  ScopedBody& root = *shared_->body_;
  root.last_binding = last_known_;
  (last_known_ == nullptr ? root.first_binding : last_known_->next) = nullptr;
  root.binding_count = static_cast<std::uint32_t>(shared_->bindings_.size());
}

ScopedBody* Scopes::open_body() {
  if (root_ != nullptr) return open_inner();
  if (outer_ != nullptr) open_outer();
  if (shared_ != nullptr) {
    open_shared(*shared_->body_);
  } else {
    open_inner();
  }
  root_ = current_;
  return root_;
}

void Scopes::open_outer() {
  for (std::size_t level = outer_->size(); level-- > 0;) {
    const OuterBody& given = (*outer_)[level];
    ScopedBody& body = *open_inner();
    body.exposed = true;
    for (const OuterName& name : given) {
      // No name in a text is empty.
      ScopedBinding* binding =
          add(symbols_.intern(name.hidden ? std::string_view() : name.name), name.spelling, name.role, {}, false);
      binding->captured = binding->changed = true;
      binding->read_only = name.read_only;
    }
    list_bindings(body);
  }
}

ScopedBody* Scopes::open_inner() {
  ScopedBody* body = arena_.make<ScopedBody>();
  body->outer = current_;
  body->parent = current_;
  body->depth = current_ == nullptr ? 0 : current_->depth + 1;
  body->first_use = use_count_;
  current_ = body;
  return body;
}

void Scopes::open_shared(ScopedBody& root) {
  root.parent = root.outer = current_;
  root.depth = current_ == nullptr ? 0 : current_->depth + 1;
  current_ = &root;
  last_known_ = root.last_binding;
  root.export_requests = nullptr;
  root.export_count = 0;
  root.exports = {};
  root.has_exports = false;
  root.statements = {};
  for (ScopedBinding* binding = root.first_binding; binding != nullptr; binding = binding->next) {
    binding->listed = false;
    binding->symbol = symbols_.intern(binding->name);
    binding->shadowed = symbols_[binding->symbol].binding;
    symbols_[binding->symbol].binding = binding;
  }
}

ScopedBinding* Scopes::define(std::uint32_t symbol, std::string_view spelling, Role role, Span span) {
  ScopedBinding* const known = symbols_[symbol].binding;
  if (known != nullptr && known->body == current_) {
    if (!redefinable(*current_) || !shared_->redefinition_) throw SyntaxError{"Redefinition", span};
    mention(span, NameMention::How::definition, known);
    return known;
  }
  return add(symbol, spelling, role, span, false);
}

void Scopes::define_label(std::uint32_t symbol, std::string_view spelling, Span span) {
  add(symbol, spelling, Role::subject, span, true);
}

ScopedBinding* Scopes::add(std::uint32_t symbol, std::string_view spelling, Role role, Span span, bool is_label) {
  ScopedBody& body = *current_;
  const bool persistent = redefinable(body);
  Arena& arena = persistent ? shared_->arena_ : arena_;
  ScopedBinding* binding = arena.make<ScopedBinding>();
  Symbol& known = symbols_[symbol];
  binding->name = persistent ? arena.copy(known.name) : known.name;
  binding->spelling = persistent ? arena.copy(spelling) : spelling;
  binding->role = role;
  binding->captured = persistent;
  binding->symbol = symbol;
  binding->body = &body;
  binding->shadowed = known.binding;
  binding->is_label = is_label;
  body.add(*binding);
  known.binding = binding;
  mention(span, NameMention::How::definition, binding);
  return binding;
}

Variable* Scopes::use(std::uint32_t symbol, Role role, Span span, bool changes) {
  Variable* node = arena_.make<Variable>();
  node->kind = NodeKind::variable;
  node->role = role;
  node->span = span;
  use_count_++;
  mention(span, changes ? NameMention::How::change : NameMention::How::use, nullptr, node);
  ScopedBinding* const known = symbols_[symbol].binding;
  if (known != nullptr && (known->body == current_ || known->body == current_->outer)) {
    resolve(*node, *current_, *known, changes);
  } else {
    PendingUse*& latest = symbols_[symbol].pending;
    latest = arena_.make<PendingUse>(node, current_, latest, use_count_, changes, false);
  }
  return node;
}

void Scopes::resolve(Variable& node, const ScopedBody& from, ScopedBinding& binding, bool changes) {
  if (binding.is_label) {
    throw SyntaxError{"A block's label may not be used as a name (" + std::string(binding.spelling) + ")", node.span};
  }
  if (changes && binding.read_only) {
    throw SyntaxError{"A name of the scope around the text may only be read (" + std::string(binding.spelling) + ")", node.span};
  }
  node.binding = &binding;
  node.body = binding.body;
  node.hops = from.depth - binding.body->depth;
  if (node.hops != 0) binding.captured = true;
  if (changes) binding.changed = true;
}

void Scopes::resolve_pending(ScopedBody& body, ScopedBinding& binding) {
  PendingUse** link = &symbols_[binding.symbol].pending;
  while (*link != nullptr && (*link)->number > body.first_use) {
    PendingUse& pending = **link;
    if (pending.body == &body) {
      pending.precedes_definition = true;
      link = &pending.older;
    } else {
      resolve(*pending.node, *pending.body, binding, pending.changes);
      *link = pending.older;
    }
  }
}

void Scopes::set_block(Binding& binding, BlockNode& block) {
  if (block.label.empty()) block.label = binding.spelling;
  if (!redefinable(*current_)) binding.block = &block;
}

void Scopes::request_export(std::uint32_t symbol, Span span) {
  current_->export_requests = arena_.make<ExportRequest>(symbol, span, current_->export_requests);
  current_->export_count++;
}

void Scopes::resolve_exports(ScopedBody& body) {
  // Puts the requests, which come latest first, in order before dropping repeated ones.
  std::span<ExportRequest*> requests = arena_.make_span<ExportRequest*>(body.export_count);
  std::size_t place = requests.size();
  for (ExportRequest* request = body.export_requests; request != nullptr; request = request->older) requests[--place] = request;
  std::span<Binding*> exports = arena_.make_span<Binding*>(requests.size());
  std::size_t count = 0;
  for (const ExportRequest* request : requests) {
    ScopedBinding* const binding = symbols_[request->symbol].binding;
    if (binding == nullptr || binding->is_label) throw SyntaxError{"Export of a name that is not defined", request->span};
    if (binding->body != &body) throw SyntaxError{"Export of a name of an outer scope", request->span};
    mention(request->span, NameMention::How::exporting, binding);
    if (binding->listed) continue;
    binding->exported = binding->captured = binding->listed = true;
    exports[count++] = binding;
  }
  body.exports = exports.first(count);
}

void Scopes::close_body() {
  ScopedBody& body = *current_;
  for (ScopedBinding* binding = body.first_binding; binding != nullptr; binding = binding->next) {
    resolve_pending(body, *binding);
    if (body.exposed) binding->captured = binding->changed = true;
  }
  resolve_exports(body);
  for (ScopedBinding* binding = body.first_binding; binding != nullptr; binding = binding->next) {
    symbols_[binding->symbol].binding = binding->shadowed;
    if (binding->changed) binding->block = nullptr;
  }
  current_ = body.outer;
  if (&body == root_) {
    close_outer();
    check_all_defined();
  }
  list_bindings(body);
}

void Scopes::close_outer() {
  for (; current_ != nullptr; current_ = current_->outer) {
    for (ScopedBinding* binding = current_->first_binding; binding != nullptr; binding = binding->next) {
      resolve_pending(*current_, *binding);
      symbols_[binding->symbol].binding = binding->shadowed;
    }
  }
}

void Scopes::expose() {
  for (ScopedBody* body = current_; body != nullptr; body = body->outer) body->exposed = true;
}

void Scopes::list_bindings(ScopedBody& body) {
  if (redefinable(body)) {
    std::vector<Binding*>& list = shared_->bindings_;
    ScopedBinding* binding = last_known_ == nullptr ? body.first_binding : last_known_->next;
    if (list.capacity() < body.binding_count) list.reserve(std::max<std::size_t>(body.binding_count, 2 * list.capacity()));
    for (; binding != nullptr; binding = binding->next) list.push_back(binding);
    body.bindings = list;
    accepted_ = true;
    return;
  }
  body.bindings = arena_.make_span<Binding*>(body.binding_count);
  for (ScopedBinding* binding = body.first_binding; binding != nullptr; binding = binding->next) {
    if (binding->is_label) continue;
    body.bindings[binding->index] = binding;
    body.has_environment |= binding->captured;
  }
}

void Scopes::check_all_defined() {
  const PendingUse* first = nullptr;
  for (const Symbol& symbol : symbols_.all()) {
    for (const PendingUse* use = symbol.pending; use != nullptr; use = use->older) {
      if (first == nullptr || use->node->span.start < first->node->span.start) first = use;
    }
  }
  if (first == nullptr) return;
  throw SyntaxError{first->precedes_definition ? "Name used before its definition" : undefined_name, first->node->span};
}

}  // namespace griddle
