// Types of •FFI: read, and read again as they were spelled.
#include "runtime/system/foreign/foreign_type.h"
#include "tests/fuzz/targets/target.h"

namespace {

void check(const griddle::ForeignType& type) {
  using Kind = griddle::ForeignType::Kind;
  fuzz::require(type.size > 0 && type.alignment > 0 && type.size % type.alignment == 0, "a type takes whole places in memory");
  fuzz::require(type.offsets.size() == type.fields.size(), "each field lies somewhere");
  for (std::size_t i = 0; i < type.fields.size(); i++) {
    fuzz::require(type.offsets[i] % type.fields[i]->alignment == 0, "a field is aligned");
    fuzz::require(type.offsets[i] + type.fields[i]->size <= type.size, "a field lies in its structure");
    check(*type.fields[i]);
  }
  if (type.kind == Kind::array) fuzz::require(type.element->size * type.count == type.size, "an array has its elements");
  if (type.element) check(*type.element);
  type.holds_values();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  try {
    const griddle::ForeignTypeRef type = griddle::parse_foreign_type(text);
    check(*type);
    fuzz::require(type->text == text, "a type is spelled as it was");
    fuzz::require(griddle::are_compatible(type.get(), griddle::parse_foreign_type(text).get()), "a type goes with itself");
  } catch (const griddle::ForeignTypeError& error) {
    fuzz::require(!error.message.empty(), "an error has a message");
  }
  try {
    const griddle::ForeignArgument argument = griddle::parse_foreign_argument(text);
    check(*argument.type);
  } catch (const griddle::ForeignTypeError& error) {
    fuzz::require(!error.message.empty(), "an error has a message");
  }
  // As a program hands it over: no library is opened before its types are known, and nothing may be called here.
  griddle::Options options = fuzz::limited();
  options.capabilities = griddle_may_call_foreign;
  griddle::Interpreter bqn(options);
  const griddle::Any name = bqn.text(text);
  const griddle::Any list[] = {name, bqn.text("no_such_function"), name};
  fuzz::look_at(bqn, bqn.eval("\"/no/such/library.so\"•FFI⊢")(bqn.list(std::span(list))));
  return 0;
}
