// A solve runs without the interpreter's lock, but callbacks and signals need it. Only the thread that started the fit
// looks at signals, and only every 10 ms, because taking the lock is slow. An exception from the callback is kept, and
// raised when the fit has ended.
#include "watcher.hpp"

namespace medlar::python {

void Watcher::on_iteration(const TracePoint& point) {
  certified_ = true;
  if (stopped_ || callback_.is_none()) return;
  const py::gil_scoped_acquire locked;
  try {
    const py::object answer = callback_(point);
    stopped_ = answer.is(py::bool_(true));
  } catch (py::error_already_set& error) {
    error_ = error.value();
    stopped_ = true;
  }
}

void Watcher::look() {
  if (!error_.is_none() || PyErr_CheckSignals() == 0) return;
  error_ = py::error_already_set().value();
  stopped_ = true;
}

bool Watcher::stop_requested() {
  if (stopped_ && !certified_) throw Interrupted();
  if (stopped_) return true;
  if (std::this_thread::get_id() != own_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return false;
  next_ = now + std::chrono::milliseconds(10);
  {
    const py::gil_scoped_acquire locked;
    look();
  }
  return stopped_ && stop_requested();
}

}  // namespace medlar::python
