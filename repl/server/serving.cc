#include "repl/server/serving.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>

#include "repl/server/language_server.h"
#include "repl/server/messages.h"
#include "repl/text.h"

namespace griddle::repl {

namespace {

constexpr int exit_broken = 1;

// Messages from one file and to another. Once one of them fails the connection is broken.
class Connection {
 public:
  Connection(int input, int output) : input_(input), output_(output) {}

  bool is_open() const { return is_open_; }

  // Takes what has arrived; where nothing waits to be handled, and something may come, waits for it.
  void receive(bool wait) {
    while (is_open_) {
      pollfd state{input_, POLLIN, 0};
      const int ready = poll(&state, 1, wait ? -1 : 0);
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return;
      std::array<char, std::size_t{1} << 16> buffer;
      const ssize_t count = read(input_, buffer.data(), buffer.size());
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      // What came before the end is still answered.
      if (count <= 0) {
        is_open_ = false;
        return;
      }
      reader_.add({buffer.data(), static_cast<std::size_t>(count)});
      if (reader_.is_lost()) is_open_ = false;
      wait = false;
    }
  }

  std::optional<std::string> next() {
    std::optional<std::string> message = reader_.next();
    if (reader_.is_lost()) is_open_ = false;
    return message;
  }

  void send(const Json& message) {
    const std::string bytes = with_header(message.written());
    for (std::size_t sent = 0; sent < bytes.size() && !is_deaf_;) {
      const ssize_t count = write(output_, bytes.data() + sent, bytes.size() - sent);
      if (count >= 0)
        sent += static_cast<std::size_t>(count);
      else if (errno != EINTR)
        is_deaf_ = true;
    }
    // Whom nobody hears has nothing more to do.
    if (is_deaf_) is_open_ = false;
  }
  bool is_deaf() const { return is_deaf_; }

 private:
  int input_, output_;
  MessageReader reader_;
  bool is_open_ = true, is_deaf_ = false;
};

// Requests that wait. One that is cancelled before its turn is not answered otherwise.
class Queue {
 public:
  Queue(Connection& connection, LanguageServer& server) : connection_(connection), server_(server) {}

  void fill() {
    while (const std::optional<std::string> text = connection_.next()) {
      // Editors write UTF-8 alone.
      std::optional<Json> message = utf8_of(code_points_of(*text)) == *text ? Json::read(*text) : std::nullopt;
      if (!message)
        server_.refuse(Json(), parse_error, "This is no JSON");
      else if ((*message)["method"].text() == "$/cancelRequest")
        cancel((*message)["params"]["id"]);
      else
        waiting_.push_back(std::move(*message));
    }
  }
  bool is_empty() const { return waiting_.empty(); }
  Json take() {
    Json message = std::move(waiting_.front());
    waiting_.pop_front();
    return message;
  }

 private:
  void cancel(const Json& id) {
    const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                    [&](const Json& message) { return message.has("id") && message["id"] == id; });
    if (found == waiting_.end()) return;
    waiting_.erase(found);
    server_.refuse(id, request_cancelled, "The request was cancelled");
  }

  Connection& connection_;
  LanguageServer& server_;
  std::deque<Json> waiting_;
};

}  // namespace

int serve_editor(Interpreter& interpreter, int input, int output) {
  Connection connection(input, output);
  LanguageServer server(interpreter, [&](const Json& message) { connection.send(message); });
  Queue queue(connection, server);
  for (;;) {
    connection.receive(queue.is_empty());
    queue.fill();
    while (!queue.is_empty()) {
      server.take(queue.take());
      if (server.has_ended()) return server.exit_status();
      if (connection.is_deaf()) return exit_broken;
      connection.receive(false);
      queue.fill();
    }
    server.tell_errors();
    if (!connection.is_open()) return exit_broken;
  }
}

}  // namespace griddle::repl
