#include "runtime/system/data/npy_reader.h"

#include <doctest/doctest.h>

#include "tests/support/called.h"
#include "tests/support/npy_file.h"

using griddle::testing::bqn_bytes;
using griddle::testing::Host;
using griddle::testing::npy_file;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

std::string parsed(Host& run, const std::string& file, const std::string& before = "") {
  return run(before + "•npy.Parse" + bqn_bytes(file));
}

bool is(Host& run, const std::string& file, const std::string& wanted) {
  return run("(" + wanted + ")≡•npy.Parse" + bqn_bytes(file)) == "1";
}

}  // namespace

TEST_CASE("headers are dictionaries of Python") {
  griddle::NpyHeader header;
  CHECK(griddle::read_npy_header("{\"shape\":(2L, 3,) ,\n'fortran_order':True,'descr':'<f8'}  \n", header) == "");
  CHECK(header.shape == std::vector<std::size_t>{2, 3});
  CHECK(header.is_by_columns);
  CHECK(griddle::read_npy_header("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", header) == "");
  CHECK(header.shape.empty());
  for (const char* text :
       {"", "{", "{}", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': 1, 'shape': ()}",
        "{'descr': '<f8', 'fortran_order': True, 'shape': (1 2)}", "{'descr': '<f8', 'fortran_order': True, 'shape': (-1,)}",
        "{'descr': '<f8', 'fortran_order': True, 'shape': (1,), 'more': 1}",
        "{'descr': '<f8', 'fortran_order': True, 'shape': (9007199254740992,)}",
        "{'descr': '<f8' 'fortran_order': True, 'shape': (1,)}", "{'descr': '<f8', 'fortran_order': True, 'shape': (1,)}x"}) {
    CAPTURE(text);
    CHECK(griddle::read_npy_header(text, header) == "The header is malformed");
  }
  CHECK(griddle::read_npy_header("{'descr': [('a', '<f8')], ", header) ==
        "Elements of several parts, or with an object each, are not read");
  CHECK(griddle::read_npy_header("{'descr': '<c16', ", header) == "Elements of the type <c16 are not read");
}

TEST_CASE("every type is read, in both orders of bytes") {
  Host run;
  CHECK(is(run, npy_file("|b1", "(3,)", "\0\1\7"sv), "⟨0,1,1⟩"));
  CHECK(is(run, npy_file("|i1", "(2,)", "\xFF\1"sv), "⟨¯1,1⟩"));
  CHECK(is(run, npy_file("|u1", "(2,)", "\xFF\1"sv), "⟨255,1⟩"));
  CHECK(is(run, npy_file("<i2", "(1,)", "\xFE\xFF"sv), "⟨¯2⟩"));
  CHECK(is(run, npy_file(">i2", "(1,)", "\xFF\xFE"sv), "⟨¯2⟩"));
  CHECK(is(run, npy_file(">u2", "(1,)", "\xFF\xFE"sv), "⟨65534⟩"));
  CHECK(is(run, npy_file("<i4", "(1,)", "\0\0\0\x80"sv), "⟨¯2147483648⟩"));
  CHECK(is(run, npy_file(">u4", "(1,)", "\xFF\xFF\xFF\xFF"sv), "⟨4294967295⟩"));
  CHECK(is(run, npy_file("<i8", "(1,)", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"sv), "⟨¯1⟩"));
  CHECK(is(run, npy_file("<u8", "(1,)", "\0\0\0\0\0\0\0\x80"sv), "⟨9223372036854775808⟩"));
  CHECK(is(run, npy_file("<f2", "(1,)", "\0\x3E"sv), "⟨1.5⟩"));
  CHECK(is(run, npy_file(">f4", "(1,)", "\x3F\xC0\0\0"sv), "⟨1.5⟩"));
  CHECK(is(run, npy_file(">f8", "(1,)", "\x3F\xF8\0\0\0\0\0\0"sv), "⟨1.5⟩"));
  CHECK(is(run, npy_file("|S2", "(3,)", "abc\0\0\0"sv), "⟨\"ab\",\"c\",\"\"⟩"));
  CHECK(is(run, npy_file("<U2", "(1,)", "\xE9\0\0\0b\0\0\0"sv), "⟨\"éb\"⟩"));
  CHECK(is(run, npy_file(">U1", "(2,)", "\0\0\0a\0\1\xF6\0"sv), "\"a😀\""));
}

TEST_CASE("elements are stored as narrowly as their type lets them") {
  Host run;
  const auto type = [&](const char* name, std::string_view elements) {
    return parsed(run, npy_file(name, "(1,)", elements), "•internal.Type ");
  };
  CHECK(type("|b1", "\1") == run("•internal.Type ⟨1⟩"));
  CHECK(type("<i4", "\1\0\0\0"sv) == run("•internal.Type ⟨2⋆30⟩"));
  CHECK(type("<i8", "\1\0\0\0\0\0\0\0"sv) == run("•internal.Type ⟨2⋆30⟩"));
  CHECK(type("<u4", "\xFF\xFF\xFF\xFF"sv) == run("•internal.Type ⟨0.5⟩"));
}

TEST_CASE("shapes are those of NumPy, by rows or by columns") {
  Host run;
  CHECK(is(run, npy_file("|i1", "(2, 3)", "\0\1\2\3\4\5"sv), "2‿3⥊⟨0,1,2,3,4,5⟩"));
  CHECK(is(run, npy_file("|i1", "(2, 3)", "\0\1\2\3\4\5"sv, true), "2‿3⥊⟨0,2,4,1,3,5⟩"));
  CHECK(is(run, npy_file("|i1", "(2, 1, 3)", "\0\1\2\3\4\5"sv, true), "2‿1‿3⥊⟨0,2,4,1,3,5⟩"));
  CHECK(parsed(run, npy_file("|i1", "()", "\7"), "≡⟜(<7) ") == "1");
  CHECK(parsed(run, npy_file("<f8", "(0, 9000000)", ""), "≢") == "⟨ 0 9000000 ⟩");
  CHECK(parsed(run, npy_file("<f8", "(9007199254740991, 0)", ""), "⟨9007199254740991,0⟩≡≢") == "1");
  CHECK(is(run, npy_file("|i1", "(2,)", "\0\1 more"sv, false, 2), "⟨0,1⟩"));
  CHECK(is(run, npy_file("|i1", "(2,)", "\0\1"sv, false, 3), "⟨0,1⟩"));
}

TEST_CASE("what is no such file, or lies, is an error before anything is made of it") {
  Host run;
  const auto message = [&](const std::string& file) {
    return parsed(run, file).substr(std::string_view("! •npy.Parse: ").size());
  };
  CHECK(message("") == "This is no file of NumPy, or its beginning alone");
  CHECK(message("\x93NUMPX\1\0\1\0 "s) == "This is no file of NumPy");
  CHECK(message(npy_file("<f8", "(1,)", "").substr(0, 20)) == "This is no file of NumPy, or its beginning alone");
  CHECK(message(npy_file("<f8", "(1,)", "", false, 4)) == "Files of version 4 are not read");
  CHECK(message(npy_file("<f8", "(2,)", "12345678")) == "There are fewer elements than the shape ⟨2⟩ has");
  CHECK(message(npy_file("|i1", "(1000000000000000,)", "12345678")) ==
        "There are fewer elements than the shape ⟨1000000000000000⟩ has");
  CHECK(message(npy_file("<f8", "(4294967296, 4294967296)", "")).starts_with("There are fewer elements"));
  CHECK(message(npy_file("<U1", "(1,)", "\xFF\xFF\xFF\xFF")) == "A string holds what is no character (4294967295)");
  CHECK(run("{large⇐\"error\"}•npy.Parse" + bqn_bytes(npy_file("<i8", "(1,)", "\1\0\0\0\0\0\x20\0"sv))) ==
        "! •npy.Parse: An integer is beyond 2⋆53");
}

TEST_CASE("arrays longer than a piece that is read at once are whole") {
  Host run;
  run.before =
      "f←∾⟨@+147,\"NUMPY\",@+1,@,@+80,@,80↑\"{'descr': '|b1', 'fortran_order': False, 'shape': (700000,), }\",700000⥊@+1⟩ ⋄ ";
  CHECK(run("+´•npy.Parse f") == "700000");
  CHECK(run("/¬•npy.Parse (@⌾(300090⊸⊑)f)") == "⟨ 300000 ⟩");
}
