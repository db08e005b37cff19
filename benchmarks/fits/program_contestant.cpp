// A peer in another language: a program that keeps the data loaded and times its own call, told what to do line by
// line.
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "contestant.hpp"

namespace medlar::bench {

namespace {

// The running program; ended with its owner.
class Program {
 public:
  explicit Program(const std::vector<std::string>& command) {
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0) throw std::runtime_error("no pipe to a program could be made");
    process_ = fork();
    if (process_ == 0) {
      dup2(to[0], STDIN_FILENO);
      dup2(from[1], STDOUT_FILENO);
      for (const int end : {to[0], to[1], from[0], from[1]}) close(end);
      std::vector<char*> words;
      for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
      words.push_back(nullptr);
      execvp(words[0], words.data());
      _exit(127);
    }
    close(to[0]);
    close(from[1]);
    in_ = to[1];
    out_ = from[0];
  }
  ~Program() {
    if (process_ > 0) kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    close(in_);
    close(out_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  bool say(const std::string& line) {
    return write(in_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  }

  // The next line that begins with one of the words; nothing at the limit or at the program's end.
  std::optional<std::string> hear(const std::vector<std::string>& words, double limit_seconds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(limit_seconds);
    for (;;) {
      for (std::size_t end = heard_.find('\n'); end != std::string::npos; end = heard_.find('\n')) {
        const std::string line = heard_.substr(0, end);
        heard_.erase(0, end + 1);
        if (std::ranges::any_of(words, [&](const auto& word) { return line.starts_with(word); })) return line;
      }
      const auto left = deadline - std::chrono::steady_clock::now();
      const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
      pollfd ready{out_, POLLIN, 0};
      if (milliseconds <= 0 || poll(&ready, 1, static_cast<int>(milliseconds)) == 0) return {};
      char block[4096];
      const auto count = read(out_, block, sizeof block);
      if (count <= 0) {
        ended_ = true;
        return {};
      }
      heard_.append(block, static_cast<std::size_t>(count));
    }
  }
  bool ended() const { return ended_; }

  void forget_peak() { std::ofstream(fmt::format("/proc/{}/clear_refs", process_)) << "5"; }
  double memory_mb(std::string_view field) const {
    std::ifstream status(fmt::format("/proc/{}/status", process_));
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with(field)) return std::atof(line.c_str() + field.size()) / 1024;
    }
    return 0;
  }

 private:
  pid_t process_ = -1;
  int in_ = -1, out_ = -1;
  std::string heard_;
  bool ended_ = false;
};

class ProgramContestant : public Contestant {
 public:
  ProgramContestant(const ContestSet& set, const nlohmann::json& spec, std::string folder)
      : folder_(std::move(folder)), features_(static_cast<std::size_t>(set.x().columns())) {
    name = spec.at("name").get<std::string>();
    command_ = spec.at("command").get<std::vector<std::string>>();
    command_.push_back(folder_);
    tolerances = spec.at("tolerances").get<std::vector<double>>();
    PeerProblem solved;
    solved.loss = PeerLoss::logistic;
    solved.penalty = PeerPenalty::lasso;
    solved.bias = spec.value("bias", "free") == "none" ? PeerBias::none : PeerBias::free;
    solved.c = spec.at("c").get<double>();
    problem = solved;
  }

  // Short fits are repeated, as in visit().
  Outcome run(double tolerance, double limit_seconds) override {
    constexpr double kEnough = 0.1;
    Outcome best = once(tolerance, limit_seconds);
    for (double total = best.seconds; best.ok() && total < kEnough;) {
      const Outcome again = once(tolerance, limit_seconds);
      if (!again.ok()) return again;
      best.seconds = std::min(best.seconds, again.seconds);
      total += std::max(again.seconds, 1e-3);
    }
    return best;
  }

 private:
  Outcome once(double tolerance, double limit_seconds) {
    constexpr double kPatience = 120;  // to load the data
    if (!program_) {
      program_ = std::make_unique<Program>(command_);
      if (!program_->hear({"ready"}, kPatience)) return failed("the program did not get ready");
      program_->forget_peak();
      loaded_mb_ = program_->memory_mb("VmRSS:");
    }
    if (!program_->say(fmt::format("fit {:.17g} {}\n", problem->c, tolerance))) return failed("the program went away");
    const std::optional<std::string> answer = program_->hear({"done ", "failed "}, limit_seconds);
    if (!answer) return failed(program_->ended() ? "the program ended" : "time limit", limit_seconds);
    if (answer->starts_with("failed ")) return failed(answer->substr(7));
    Outcome outcome;
    std::string word;
    std::istringstream(*answer) >> word >> outcome.seconds >> outcome.passes;
    outcome.exhausted = answer->ends_with("exhausted");
    outcome.peak_mb = std::max(0.0, program_->memory_mb("VmHWM:") - loaded_mb_);
    outcome.w.resize(features_ + 1);
    std::ifstream weights(folder_ + "/weights.f64", std::ios::binary);
    weights.read(reinterpret_cast<char*>(outcome.w.data()), static_cast<std::streamsize>(8 * outcome.w.size()));
    if (!weights) return failed("the program left no weights");
    outcome.bias = outcome.w.back();
    outcome.w.pop_back();
    return outcome;
  }

  Outcome failed(const std::string& end, double seconds = 0) {
    program_.reset();
    Outcome outcome;
    outcome.end = end;
    outcome.seconds = seconds;
    return outcome;
  }

  std::string folder_;
  std::size_t features_;
  std::vector<std::string> command_;
  std::unique_ptr<Program> program_;
  double loaded_mb_ = 0;
};

}  // namespace

std::unique_ptr<Contestant> program_contestant(const ContestSet& set, const nlohmann::json& spec,
                                               const std::string& folder) {
  return std::make_unique<ProgramContestant>(set, spec, folder);
}

}  // namespace medlar::bench
