// The console of the executable: standard input and output through file descriptors.
#pragma once

#include <termios.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/api/griddle.hpp"

namespace griddle::repl {

// Columns and rows of a terminal.
struct Size {
  std::size_t columns = 80, rows = 24;
};

// Output waits in a buffer until there is much of it, or the program reads, waits, reports an error or ends, and otherwise for a
// tenth of a second; on a terminal it is written at once. Where nobody reads the output any more the process ends without a word;
// where a disk is full, or the input cannot be read, it says so at its end.
class StandardConsole final : public Console {
 public:
  StandardConsole() = default;
  ~StandardConsole() override;
  void write(std::string_view) override;
  void write_error(std::string_view) override;
  void flush() override;
  bool read_line(std::string&) override;
  int read_byte(bool wait) override;
  void set_raw(bool) override;
  bool terminal_size(std::size_t& rows, std::size_t& columns) override;
  std::size_t error_columns() override;
  // Asks the terminal, unless its environment says it, and waits shortly for the answer.
  PictureForm pictures() override;
  // Has reading end, and output that nobody takes be dropped, until forget_interrupt is called. For signal handlers.
  void interrupt() noexcept { interrupt_came_ = true; }
  void forget_interrupt() noexcept { interrupt_came_ = drops_output_ = false; }
  // Tells whether output was dropped since then.
  bool drops_output() const { return drops_output_; }
  // Gives a terminal its usual keys back. For signal handlers, too.
  void restore_terminal() const noexcept;
  // Writes every tenth of a second what waits. For a thread of its own, which takes no signals.
  [[noreturn]] void keep_writing() noexcept;
  // Ends the process by a signal, once the terminal has its usual keys back and what waits is written. For signal handlers.
  void end(int signal_number) noexcept;
  // Writes what waits, and an error, with no memory to be had. Tells whether all output so far could be written, and all input
  // read.
  bool finish(std::string_view error) noexcept;

  // Tells whether input has been read that nobody has taken.
  bool has_input() const { return waiting(); }
  bool input_is_terminal() const;
  bool output_is_terminal() const;
  // Waits so long at most. Tells whether there is input, or its end.
  bool waits_for_input(int milliseconds) const;
  // Gives the columns and rows of the terminal.
  Size size() const;
  std::size_t columns() const { return size().columns; }
  std::size_t rows() const { return size().rows; }
  // Writes what is written to the terminal to a file as well, which is closed in the end; -1: no more. What is drawn while a
  // line is edited is left out.
  void log_to(int file);
  // Writes a line that was typed there, behind the prompt.
  void log_entry(std::string_view prompt, std::string_view text);
  // Hands over every key, of which none does anything by itself, or lines again.
  void set_editing(bool);
  // Stops this process, as Ctrl-Z does, until somebody has it go on.
  void suspend();
  // Has reading a key end: the window's size changed, or the process goes on after it was stopped. For signal handlers.
  void note_change() noexcept { change_came_ = true; }
  // Tells whether that happened since it was asked last, while keys were handed over. They are then to be handed over again.
  bool take_changed();
  // Reads the rest of the input. Tells whether that is all of it.
  bool read_all(std::string&);
  // Tells whether the last reading was cut short by an interrupt.
  bool interrupted() const { return interrupted_; }

 private:
  // One thread or signal handler at a time has the output. Who gives it back writes the rest where a signal asked for the end.
  void take_output() noexcept;
  void give_output_back() noexcept;
  // These are for who has the output.
  void write_out(std::string_view) noexcept;
  void write_waiting() noexcept;
  // Writes what the system takes at once.
  void write_some() noexcept;
  [[noreturn]] void end_now() noexcept;
  // Gives 0, or why not all was written; EINTR where an interrupt came.
  int write_all(int file, std::string_view) noexcept;
  // Waits until there is input, or its end. Tells whether an interrupt came first.
  bool wait_for_input();
  // Writes a question for the terminal, and gives what it has sent until `is_whole` says that this is all, or for so long.
  std::string ask(std::string_view question, bool (*is_whole)(std::string_view), int milliseconds);
  // Reads more input into the buffer. Tells whether there was any.
  bool fill();
  enum class Keys { as_usual, one_by_one, all };
  void set_keys(Keys);
  bool is_woken() const { return change_came_ && keys_ == Keys::all; }
  bool waiting() const { return next_ < input_.size(); }

  std::array<char, std::size_t{1} << 16> output_;
  std::size_t first_waiting_ = 0, end_waiting_ = 0;  // what of it is not written yet
  std::atomic<bool> output_taken_{false};
  std::atomic<int> output_waits_{0};        // 1 where something lies in the buffer that keep_writing is to write
  std::atomic<int> end_signal_{0};          // by which the process is to end
  int output_error_ = 0, input_error_ = 0;  // why output could not be written, and input not read
  std::string input_;
  std::size_t next_ = 0;
  bool interrupted_ = false;
  std::atomic<bool> interrupt_came_{false}, change_came_{false};
  std::atomic<bool> drops_output_{false};  // an interrupt came while nobody took it
  Keys keys_ = Keys::as_usual;
  std::optional<termios> usual_keys_;  // how the terminal was; known once it was changed
  void log(std::string_view) noexcept;
  int log_ = -1;  // a file; -1: none
  bool log_begins_line_ = true;
  int output_kind_ = -1;  // 1: a terminal, 0: not; -1: not known yet
};

}  // namespace griddle::repl
