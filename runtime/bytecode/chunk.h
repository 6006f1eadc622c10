// Code: one compiled block. A closure refers to it, a frame runs it.
//
// An instruction is one 64-bit word, some are followed by immediate words (values, pointers, jump targets):
//
//   byte 0   1       2  3    4  5    6  7
//        op  flags   a       b       c            or, from byte 4 on, one 32-bit jump distance
//
// a, b, c are slots of the frame: first the arguments, then the body's variables, then temporaries, which the compiler uses as
// a stack: how many slots hold a value is known for every instruction. Operands are read in place. A slot whose
// value nobody needs afterwards is consumed: its flag lets the slow path move the value out, so that primitives may reuse it.
//
// Blocks that run often are translated to machine code (runtime/native), which does the same on the same slots.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/bytecode/unit.h"
#include "runtime/source/parser.h"
#include "runtime/value/heap_memory.h"
#include "runtime/value/namespace.h"

namespace griddle {

enum class Opcode : std::uint8_t {
#define OPCODE(name, immediates, operands) name,
#include "runtime/bytecode/opcodes.inc"
#undef OPCODE
};

inline constexpr int opcode_count = 0
#define OPCODE(name, immediates, operands) +1
#include "runtime/bytecode/opcodes.inc"
#undef OPCODE
    ;

inline constexpr std::uint8_t immediate_counts[opcode_count] = {
#define OPCODE(name, immediates, operands) immediates,
#include "runtime/bytecode/opcodes.inc"
#undef OPCODE
};
constexpr int immediates_of(Opcode op) { return immediate_counts[static_cast<int>(op)]; }

struct Instruction {
  Opcode op;
  std::uint8_t flags;
  std::uint16_t a;
  std::uint16_t b;
  std::uint16_t c;

  static constexpr std::uint8_t consume_b = 0x01;  // the operand in b is not needed afterwards
  static constexpr std::uint8_t consume_c = 0x02;
  static constexpr std::uint8_t swapped = 0x04;     // the constant operand, or the one in b, is the right one in the source
  static constexpr std::uint8_t modify = 0x08;      // a F↩: slot a is operand and target; its value is lent to F
  static constexpr std::uint8_t dyadic = 0x10;      // modify_*: there is a right argument
  static constexpr std::uint8_t checked = 0x20;     // the variable may be undefined yet
  static constexpr std::uint8_t maybe = 0x40;       // an operand may be Nothing
  static constexpr std::uint8_t for_effect = 0x10;  // derive1_primitive: nobody needs what the function gives
  static constexpr std::uint8_t one_scope = 0x80;   // call_of_outer: all that it reads are variables of one environment

  // Jumps count words from this instruction.
  std::int32_t distance() const { return static_cast<std::int32_t>(b | std::uint32_t{c} << 16); }
  void set_distance(std::int32_t d) {
    b = static_cast<std::uint16_t>(d);
    c = static_cast<std::uint16_t>(static_cast<std::uint32_t>(d) >> 16);
  }
  std::uint64_t immediate(int i) const { return reinterpret_cast<const std::uint64_t*>(this)[1 + i]; }
  // Gives a value that stands in the code, which keeps it.
  const Value& value(int i) const { return reinterpret_cast<const Value*>(this)[1 + i]; }
  template <class T>
  T* pointer(int i) const {
    return reinterpret_cast<T*>(immediate(i));
  }
  const Instruction* next() const { return this + 1 + immediates_of(op); }
};
static_assert(sizeof(Instruction) == 8);

// Says where a header's pattern goes on when it does not match: slots from .. to-1 are released first. Distance 0: an error.
struct Mismatch {
  std::int32_t distance;
  std::uint16_t from;
  std::uint16_t to;
};

// Names the fields that a destructuring target takes from a namespace; an empty name has no field.
struct UnpackNames {
  std::vector<std::string> names;
  bool namespace_only = false;  // an alias stands among the targets
};

// Looks a field up once for all namespaces of one kind, and remembers a few kinds.
struct FieldCache {
  struct Kind {
    Ref<FieldTable> table;
    std::uint32_t slot = 0;
  };
  std::string name;
  Kind kinds[4];
  unsigned oldest = 0;
};

// What an error and the unwinding of a frame need to know about an instruction that may fail.
struct Position {
  std::uint32_t word;
  Span span;
  std::uint32_t depth : 31;       // slots of the frame that hold a value before the instruction
  std::uint32_t environment : 1;  // the frame owns its environment
};

// What a native function that sees the scope it stands in has as its state: in the code, the names; when it runs, the environment
// that holds the innermost of them as well (null where there are none).
struct VisibleNames final : NativeObject {
  Ref<Unit> unit;
  OuterScope scope;
  void trace(ObjectVisitor& visitor) override {
    if (unit) visitor.visit(unit.get());
  }
  void clear() override { unit = {}; }
};
struct CapturedScope final : NativeObject {
  Ref<VisibleNames> visible;
  Ref<Environment> environment;
  void trace(ObjectVisitor& visitor) override {
    if (visible) visitor.visit(visible.get());
    if (environment) visitor.visit(environment.get());
  }
  void clear() override {
    visible = {};
    environment = {};
  }
};

// The slots of a loop over the elements of x, or of x and w, or over the cells of x: they lie at the front, then come the results
// (absent where nobody needs them, and for ´), the index, how many rounds there are (not for ´), and the arguments of the block,
// of which the first takes its result.
struct ElementLoop {
  static constexpr unsigned x = 0, w = 1, results = 2, index = 3, rounds = 4, slots = 5;
  static constexpr unsigned argument_x = slots, argument_w = slots + 1;
  // Field b of the instructions that begin it, go on and end it.
  enum Over : unsigned { one, two, cells };
  // Up to so many elements the loop takes less time than a value that meets the whole array: a block that has to be made, one
  // that is there, one that chooses by elements, or anything else.
  static constexpr std::size_t longest_for_block = 31, longest_for_closed = 15, longest_for_branches = 63, longest_for_parts = 8;
  // What field c of each_begin says: that number, 0 where there is no such value; whether only arrays without boxes may meet it,
  // or always do; whether nobody needs the results.
  static constexpr unsigned for_effect = 1, flat_alone = 2, flat_always = 4, longest_shift = 3;
};

// Ways into a block.
enum class Entry : std::uint8_t { monad, dyad, undo, undo_dyad, undo_swapped, undo_swapped_dyad };
inline constexpr int entry_count = 6;

// What the translation of a block is, and what is known for the next one. Those of one translator are in a ring.
struct NativeCode {
  NativeCode() = default;
  ~NativeCode() { leave_ring(); }
  NativeCode(const NativeCode&) = delete;
  NativeCode& operator=(const NativeCode&) = delete;

  // How many more calls and rounds of loops are interpreted before somebody is asked: below 0 at each of them.
  std::int64_t patience = 0;
  HeapArray<const void*> places;        // where the code of each word begins; null where nothing may begin
  HeapArray<std::uint8_t> gives_array;  // of each word: whether its instruction gave something else than a number
  std::uint32_t surprises = 0;          // how often that was not foreseen since the last translation
  std::uint32_t failures = 0;           // how often an error has ended it that a ⎊ around handled
  bool is_watched = false;
  NativeCode* next = this;
  NativeCode* previous = this;

  void join_ring(NativeCode& other) {
    leave_ring();
    next = other.next, previous = &other;
    next->previous = other.next = this;
  }
  void leave_ring() {
    next->previous = previous, previous->next = next;
    next = previous = this;
  }
  // Forgets the translation, to begin anew.
  void forget() {
    leave_ring();
    places = nullptr;
    patience = 0;
    is_watched = false;
  }
  bool is_known_for_arrays(std::uint32_t word) const { return gives_array != nullptr && gives_array[word] != 0; }
  // So many errors may end it before blocks within ⎊ are interpreted: only the loop hands errors over without an exception.
  static constexpr std::uint32_t most_failures = 16;
  bool fails_often() const { return failures >= most_failures; }
  // So many instructions may give arrays unforeseen before the block is translated anew.
  static constexpr std::uint32_t most_surprises = 4;
  void note_array(std::uint32_t word) {
    gives_array[word] = 1;
    if (++surprises == most_surprises) places = nullptr;
  }
};

// Whether a block that meets a long array goes through its elements at once: that costs attempts, which are spared for a while
// once they were in vain.
struct CalledByElements {
  std::uint8_t left = 0;  // so many loops over the elements before the next attempt
  std::uint8_t next = 8;  // twice as many after the next one that is in vain

  // Tells whether to attempt, and counts otherwise.
  bool attempts() { return left == 0 || left-- == 0; }
  void note_vain() { left = next = static_cast<std::uint8_t>(next > 127 ? 255 : next * 2); }
};

struct Code : NativeObject {
  HeapArray<std::uint64_t> words;
  std::uint32_t word_count = 0;
  std::uint32_t frame_size = 0;  // slots
  // Null where no undo header allows it. Immediate blocks, and modifiers that run at once, start at `monad`.
  const Instruction* entry[entry_count] = {};
  BlockType type = BlockType::immediate;
  bool deferred = false;
  bool leaf = false;   // a function that needs no frame, of arithmetic and what looks into arrays (vm/leaf.cc)
  bool reads = false;  // is a leaf that looks into arrays, and takes them as arguments
  // The trains that a leaf of arithmetic alone is equal to (composition.h), for one argument and for two, once somebody has
  // asked.
  Value forms[2];
  bool formed[2] = {};
  mutable NativeCode native;
  // What ¨ and ˘ have found: see note_called_by_elements (vm/call.h).
  mutable CalledByElements called_by_elements[3];
  Span span{};
  std::string label;  // as messages call the block; may be empty
  HeapArray<Position> positions;
  std::uint32_t position_count = 0;
  // Owns what the immediate words point to.
  HeapVector<Ref<Object>> owned{Heap::of(this)};
  HeapVector<std::unique_ptr<FieldCache>> fields{Heap::of(this)};
  HeapVector<std::unique_ptr<UnpackNames>> unpacked{Heap::of(this)};
  Ref<Unit> unit;

  // Finds the entry of the last instruction at or before `word`; null where there is none.
  const Position* position_of(std::uint32_t word) const;
  const Position* position_of(const Instruction* i) const {
    return position_of(static_cast<std::uint32_t>(reinterpret_cast<const std::uint64_t*>(i) - words.get()));
  }
  void trace(ObjectVisitor&) override;
  void clear() override;
};

// Finds out whether code is a function of leaf instructions alone.
void find_leaf(Code&);

// Makes the function or modifier of a block (vm/call.cc). The scope may be null.
Value make_closure(Heap&, Code&, Environment* scope);

// Shows the instructions of a block and of the blocks inside it, one a line (disassembler.cc).
std::string disassemble(const Code&);
// Gives the name of an instruction as it stands there, and tells whether its first immediate word names a primitive.
const char* name_of(Opcode);
bool names_primitive(Opcode);
// Visits the blocks that stand in a block, and not those in these.
void each_inner_block(const Code&, const std::function<void(const Code&)>& visit);

}  // namespace griddle
