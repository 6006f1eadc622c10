#include <algorithm>

#include "runtime/format/format.h"
#include "runtime/format/number.h"
#include "runtime/format/operation.h"
#include "runtime/value/utf8.h"

namespace griddle {

namespace {

// Leaves the printer where something has no source text.
struct Unrepresentable {
  SourceProblem problem;
};

class SourceWriter final : OperationWriter {
 public:
  SourceWriter(Context& cx, HeapText& out) : OperationWriter(cx, out) {}
  void value(const Value&);

 private:
  void write_data(const Value& v) override { value(v); }
  void write_block(const char*) override { throw Unrepresentable{SourceProblem::block}; }
  void write_name(const char* name) override {
    if (!std::string_view(name).starts_with("•")) throw Unrepresentable{SourceProblem::system};
    out_ += name;
  }
  void array(const Array&);
  void list(const Array&);
  void strand(const Array&);
  void number(double d) {
    char buffer[max_number_bytes];
    out_.append(buffer, write_number(buffer, d).end);
  }
  void atom(const Value& v) {
    if (v.is_number())
      number(v.number());
    else
      append_character_literal(out_, v.character());
  }
};

void SourceWriter::value(const Value& v) {
  if (v.is_array())
    array(v.array());
  else if (v.is_operation())
    write(v);
  else if (v.is_namespace())
    throw Unrepresentable{SourceProblem::name_space};
  else
    atom(v);
}

void SourceWriter::array(const Array& a) {
  cx_.check_stack();
  growing_.takes(out_);
  growing_.wants(least_text_bytes(a.type(), a.length));
  if (a.is_list()) return list(a);
  out_ += '(';
  if (a.rank() == 0) {
    out_ += '<';
    value(element(a, 0));
  } else {
    append_shape(out_, a.shape());
    out_ += "⥊";
    list(a);
  }
  out_ += ')';
}

// Writes the elements of an array of any rank as a list.
void SourceWriter::list(const Array& a) {
  if (a.length == 0) {
    out_ += "⟨⟩";
    return;
  }
  bool characters = is_character(a.type());
  bool atoms = a.type() != ElementType::boxed;
  if (!atoms) {
    characters = atoms = true;
    for (const Value& v : a.boxes()) {
      characters &= v.is_character();
      atoms &= v.is_character() || v.is_number();
      if (!atoms) break;
    }
  }
  if (characters && atoms) return append_string_literal(out_, a);
  if (atoms && a.length > 1) return strand(a);
  out_ += "⟨";
  for (std::size_t i = 0; i < a.length; i++) {
    if (i) out_ += ',';
    value(element(a, i));
  }
  out_ += "⟩";
}

void SourceWriter::strand(const Array& a) {
  if (a.type() == ElementType::boxed) {
    for (std::size_t i = 0; i < a.length; i++) {
      if (i) out_ += "‿";
      atom(a.boxes()[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < a.length; i++) {
    if (i) out_ += "‿";
    growing_.takes(out_);
    number(number_at(a, i));
  }
}

}  // namespace

SourceProblem append_source(Context& cx, HeapText& out, const Value& v) {
  const ComputingHere reads(cx, nullptr);
  try {
    SourceWriter(cx, out).value(v);
    return SourceProblem::none;
  } catch (const Unrepresentable& u) {
    return u.problem;
  }
}

void append_shape(HeapText& out, std::span<const std::size_t> shape) {
  for (std::size_t axis = 0; axis < shape.size(); axis++) {
    if (axis) out += "‿";
    out += std::to_string(shape[axis]);
  }
}

void append_character_literal(HeapText& out, char32_t c) {
  if (c == 0) {
    out += '@';
    return;
  }
  out += '\'';
  append_utf8(out, c);
  out += '\'';
}

void append_string_literal(HeapText& out, const Array& a, std::size_t most) {
  out += '"';
  HeapText text(out.get_allocator());
  append_utf8(text, a, most);
  for (std::size_t at = 0, quote; at < text.size(); at = quote) {
    quote = std::min(text.find('"', at + 1), text.size());
    if (text[at] == '"') out += '"';
    out.append(text, at, quote - at);
  }
  out += '"';
}

}  // namespace griddle
