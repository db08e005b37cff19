#include "outcome.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>

namespace medlar::bench {

namespace {

using Clock = std::chrono::steady_clock;

double peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

Outcome repeated(const std::function<Outcome()>& fit) {
  constexpr double kEnough = 0.1;
  const double before = peak_mb();  // a forked process begins with what its parent holds
  Outcome best;
  double total = 0;
  try {
    best = fit();
    best.peak_mb = peak_mb() - before;
    for (total = best.seconds; best.ok() && total < kEnough;) {
      const Outcome again = fit();
      best.seconds = std::min(best.seconds, again.seconds);
      total += std::max(again.seconds, 1e-5);
    }
  } catch (const std::exception& error) {
    best.end = error.what();
  }
  return best;
}

// All that the child writes before it closes the pipe; false if the limit came first.
bool receive(int pipe, double limit_seconds, std::vector<std::uint8_t>& bytes) {
  const auto deadline = Clock::now() + std::chrono::duration<double>(limit_seconds);
  std::uint8_t block[65536];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd ready{pipe, POLLIN, 0};
    if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) == 0) return false;
    const auto count = read(pipe, block, sizeof block);
    if (count <= 0) return true;
    bytes.insert(bytes.end(), block, block + count);
  }
}

void send(int pipe, const Outcome& outcome) {
  const std::vector<std::uint8_t> bytes = nlohmann::json::to_cbor(nlohmann::json(outcome));
  for (std::size_t sent = 0; sent < bytes.size();) {
    const auto count = write(pipe, bytes.data() + sent, bytes.size() - sent);
    if (count <= 0) break;
    sent += static_cast<std::size_t>(count);
  }
}

}  // namespace

double seconds_of(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Outcome visit(const std::function<Outcome()>& fit, double limit_seconds) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe to a fit could be made");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process for a fit could be made");
  if (child == 0) {
    close(ends[0]);
    send(ends[1], repeated(fit));
    _exit(0);
  }
  close(ends[1]);
  std::vector<std::uint8_t> bytes;
  const bool in_time = receive(ends[0], limit_seconds, bytes);
  close(ends[0]);
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  outcome.seconds = limit_seconds;
  outcome.end = in_time ? fmt::format("the process ended by signal {}", WTERMSIG(status)) : "time limit";
  if (in_time && !bytes.empty()) outcome = nlohmann::json::from_cbor(bytes).get<Outcome>();
  return outcome;
}

}  // namespace medlar::bench
