// Operations as source text. The display and the source printer share the rules and differ in how they spell data and blocks.
#pragma once

#include "runtime/format/growing_text.h"
#include "runtime/value/context.h"
#include "runtime/value/function.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

class OperationWriter {
 public:
  OperationWriter(Context& cx, HeapText& out) : cx_(cx), out_(out), growing_(cx) {}
  // Appends an operation; trains are put in parentheses where they are operands.
  void write(const Value& operation);

 protected:
  ~OperationWriter() = default;
  // Appends what is no operation.
  virtual void write_data(const Value&) = 0;
  // Appends a block: "function", "1-modifier" or "2-modifier".
  virtual void write_block(const char* kind) = 0;
  // Appends the name of a system function, which starts with • if it can be written in a program.
  virtual void write_name(const char* name) = 0;

  Context& cx_;
  HeapText& out_;
  GrowingText growing_;
  std::size_t most_bytes_ = ~std::size_t{0};  // of one operation, after which nobody wants more

 private:
  void write_operation(const Value&);
  void write_part(const Value&, bool parenthesise);
  // Writes data so that it has the role of a function.
  void write_function_part(const Value&, bool parenthesise);
  void write_train(const Value& f, const Value& g, const Value& h);
  void write_derived(const Value& modifier, const Value& f, const Value& g);
  void write_modifier(const Value&);

  std::size_t begin_ = 0;  // where the text of the outermost operation begins
};

}  // namespace griddle
