#include "runtime/bytecode/compiler.h"

#include "runtime/bytecode/compiling.h"
#include "runtime/source/definitions.h"
#include "runtime/source/outline.h"

namespace griddle {

void Compiler::fail_at(Span span, std::string message) {
  Error error(make_string(cx_.heap, message));
  error.frames.push_back({unit_->source, span.start, span.end, 0, 0, true});
  throw error;
}

namespace {

template <class Parse>
Ref<Code> load_with(Context& cx, Ref<Unit> unit, bool shared_root, ParseOptions& options, Parse parse_source) {
  // The limit of memory holds for the tree too, beside the text itself.
  struct Host {
    Context& cx;
    std::size_t text_bytes;
  } host{cx, unit->source->text.size()};
  options.watch = {[](void* of, std::size_t bytes) {
                     const Host& host = *static_cast<Host*>(of);
                     host.cx.check_interrupt();
                     host.cx.heap.check_limit(host.text_bytes + bytes);
                   },
                   &host};
  Arena arena(options.watch);
  Program program;
  try {
    program = parse_source(*unit->source, arena);
  } catch (const SyntaxError& e) {
    Error error(make_string(cx.heap, e.message));
    error.frames.push_back({unit->source, e.span.start, e.span.end, e.related.start, e.related.end, true});
    throw error;
  }
  if (options.outline) *options.outline = outline_lines(*unit->source, *program.root);
  if (options.definitions) *options.definitions = definitions_of(*unit->source, *program.root);
  return compile(cx, program, std::move(unit), shared_root, options.outline);
}

}  // namespace

Ref<Code> compile(Context& cx, const Program& program, Ref<Unit> unit, bool shared_root, std::vector<OutlineLine>* outline) {
  // What is made for a unit may refer to it: the unit lets go of it once the code holds what it needs.
  struct Resolved {
    Ref<Unit> unit;
    ~Resolved() { std::vector(std::move(unit->resolved)).clear(); }
  } resolved{unit};
  return Compiler(cx, std::move(unit), shared_root).program(program, outline);
}

Ref<Code> load(Context& cx, Ref<Unit> unit, const ParseOptions& given) {
  ParseOptions options = given;
  if (!options.stack_limit) options.stack_limit = cx.stack_limit();
  if (!options.glyphs && unit->resolver) options.glyphs = unit->resolver->glyphs();
  return load_with(cx, std::move(unit), false, options,
                   [&](const SourceText& source, Arena& arena) { return parse(source, arena, options); });
}

Ref<Code> load(Context& cx, Ref<Unit> unit, RootScope& scope, const ParseOptions& given) {
  ParseOptions options = given;
  if (!options.stack_limit) options.stack_limit = cx.stack_limit();
  if (!options.glyphs && unit->resolver) options.glyphs = unit->resolver->glyphs();
  return load_with(cx, std::move(unit), true, options,
                   [&](const SourceText& source, Arena& arena) { return parse(source, arena, scope, options); });
}

}  // namespace griddle
