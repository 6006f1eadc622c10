#include "runtime/api/griddle.h"

#include <doctest/doctest.h>

#include <string>

TEST_CASE("the C interface says why there is no value, and where") {
  griddle_failure* why = nullptr;
  griddle_interpreter* bqn = griddle_new(nullptr, &why);
  REQUIRE(bqn != nullptr);
  const griddle_text no_name = griddle_string("");
  const auto text = [](griddle_text t) { return std::string(t.data, t.bytes); };
  CHECK(griddle_eval(bqn, griddle_string("x←1\nx + \"ab\"‿3 + 'c'"), griddle_string("test"), &why).interpreter == nullptr);
  REQUIRE(why != nullptr);
  CHECK(griddle_failure_cause(why) == griddle_error);
  CHECK(griddle_failure_frames(why) == 1);
  griddle_frame frame;
  frame.size = sizeof frame;
  REQUIRE(griddle_failure_frame(why, 0, &frame) == 1);
  CHECK(text(frame.name) == "test");
  CHECK(frame.line == 2);
  CHECK(text(frame.line_text) == "x + \"ab\"‿3 + 'c'");
  CHECK(frame.column < 14);
  CHECK(griddle_failure_frame(why, 1, &frame) == 0);
  // One who knows the first field alone gets no more.
  frame = {};
  frame.size = offsetof(griddle_frame, line_text);
  REQUIRE(griddle_failure_frame(why, 0, &frame) == 1);
  CHECK(frame.line == 0);
  CHECK(text(frame.name) == "test");
  griddle_failure* shared = griddle_share_failure(why);
  griddle_release_failure(why);
  CHECK(text(griddle_failure_report(shared)).starts_with("Error: "));
  griddle_release_failure(shared);

  CHECK(griddle_call({}, {}, &why).interpreter == nullptr);
  CHECK(text(griddle_failure_message(why)).find("needs a function") != std::string::npos);
  griddle_release_failure(why);
  CHECK(griddle_eval(nullptr, no_name, no_name, &why).interpreter == nullptr);
  CHECK(text(griddle_failure_message(why)) == "There is no interpreter");
  griddle_release_failure(why);
  CHECK(griddle_eval(bqn, griddle_string("•Exit 3"), no_name, &why).interpreter == nullptr);
  CHECK(griddle_failure_cause(why) == griddle_exited);
  CHECK(griddle_failure_exit_code(why) == 3);
  griddle_release_failure(why);
  CHECK(griddle_eval(bqn, griddle_string("!1‿2"), no_name, &why).interpreter == nullptr);
  griddle_value value = griddle_failure_value(why);
  CHECK(griddle_length(value) == 2);
  griddle_release(value);
  // A failure may outlive its interpreter.
  griddle_delete(bqn);
  value = griddle_failure_value(why);
  CHECK(griddle_length(value) == 2);
  griddle_release(value);
  griddle_release_failure(why);
  // Nobody has to want to know.
  CHECK(griddle_eval(nullptr, no_name, no_name, nullptr).interpreter == nullptr);
  CHECK(griddle_failure_frames(nullptr) == 0);
  CHECK(griddle_failure_message(nullptr).bytes == 0);
  griddle_release_failure(nullptr);
}
