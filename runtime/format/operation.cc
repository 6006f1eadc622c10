#include "runtime/format/operation.h"

#include <string_view>

#include "runtime/primitive.h"
#include "runtime/value/utf8.h"

namespace griddle {

namespace {

ObjectKind kind_of(const Value& v) { return v.object()->kind; }
bool is_train(const Value& v) { return v.is_function() && kind_of(v) == ObjectKind::train; }
bool is_atop(const Value& v) { return is_train(v) && static_cast<const Train&>(v.function()).f.is_absent(); }
// Tells whether the text would bind to a modifier on its left if it stood without parentheses.
bool is_compound(const Value& v) {
  return v.is_function() &&
         (kind_of(v) == ObjectKind::train || kind_of(v) == ObjectKind::derived || kind_of(v) == ObjectKind::derived_block);
}

bool is_word_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}
bool starts_with_word(std::string_view s) {
  return !s.empty() && (is_word_byte(s[0]) || s.starts_with("¯") || s.starts_with("∞") || s.starts_with("π"));
}
bool ends_with_word(std::string_view s) { return !s.empty() && (is_word_byte(s.back()) || s.ends_with("∞") || s.ends_with("π")); }

}  // namespace

void OperationWriter::write(const Value& operation) {
  std::size_t outer = begin_;
  begin_ = out_.size();
  write_operation(operation);
  begin_ = outer;
}

void OperationWriter::write_operation(const Value& operation) {
  cx_.check_stack();
  if (operation.is_modifier()) return write_modifier(operation);
  switch (kind_of(operation)) {
    case ObjectKind::primitive_function:
      append_utf8(out_, static_cast<const PrimitiveFunction&>(operation.function()).entry->glyph);
      break;
    case ObjectKind::native_function: write_name(static_cast<const NativeFunction&>(operation.function()).name); break;
    case ObjectKind::train: {
      auto& train = static_cast<const Train&>(operation.function());
      write_train(train.f, train.g, train.h);
      break;
    }
    case ObjectKind::derived: {
      auto& derived = static_cast<const Derived&>(operation.function());
      write_derived(derived.modifier, derived.f, derived.g);
      break;
    }
    case ObjectKind::derived_block: {
      auto& derived = static_cast<const DerivedBlock&>(operation.function());
      write_derived(derived.modifier, derived.f, derived.g);
      break;
    }
    default: write_block("function");
  }
}

void OperationWriter::write_part(const Value& v, bool parenthesise) {
  if (out_.size() - begin_ > most_bytes_) return;
  if (parenthesise) out_.push_back('(');
  std::size_t start = out_.size();
  if (v.is_operation())
    write_operation(v);
  else
    write_data(v);
  std::string_view text = out_;
  if (ends_with_word(text.substr(begin_, start - begin_)) && starts_with_word(text.substr(start))) out_.insert(start, 1, ' ');
  if (parenthesise) out_.push_back(')');
}

void OperationWriter::write_function_part(const Value& v, bool parenthesise) {
  write_part(v, parenthesise);
  if (!v.is_operation()) out_ += "{𝔽}";
}

void OperationWriter::write_train(const Value& f, const Value& g, const Value& h) {
  if (!f.is_absent()) write_part(f, is_train(f));
  write_function_part(g, is_train(g));
  write_function_part(h, is_atop(h));
}

void OperationWriter::write_derived(const Value& modifier, const Value& f, const Value& g) {
  write_part(f, is_train(f));
  write_part(modifier, false);
  if (!g.is_absent()) write_part(g, is_compound(g));
}

void OperationWriter::write_modifier(const Value& v) {
  const Modifier& modifier = v.modifier();
  switch (modifier.kind) {
    case ObjectKind::primitive_modifier: append_utf8(out_, static_cast<const PrimitiveModifier&>(modifier).entry->glyph); break;
    case ObjectKind::native_modifier: write_name(static_cast<const NativeModifier&>(modifier).name); break;
    default: write_block(v.is_modifier1() ? "1-modifier" : "2-modifier");
  }
}

}  // namespace griddle
