"""Work in a process of its own, which ends at a limit of processor time."""

import multiprocessing
import os
import resource
import signal
import time

PATIENCE = 20  # a process that waits instead of working ends after as many times its limit on the clock


class Stopped(Exception):
    """Why there is no answer."""


TOO_LONG = "longer than"


class TooLong(Stopped):
    def __init__(self, seconds):
        super().__init__(f"{TOO_LONG} {seconds:g} s")


def used(process):
    """Processor seconds of a process until now."""
    with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
        words = file.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def end_after(process, seconds):
    """The system ends the process once it has worked for so long from now on."""
    whole = int(used(process) + seconds) + 1
    resource.prlimit(process, resource.RLIMIT_CPU, (whole, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def told(connection, work):
    try:
        connection.send((work(), None))
    except Exception as error:  # whatever a peer says is told to the comparison
        connection.send((None, f"{type(error).__name__}: {' '.join(str(error).split())}"))


def within(seconds, work):
    """What work() gives; raises Stopped where it fails, or takes longer."""
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    process = context.Process(target=told, args=(send, work))
    process.start()
    end_after(process.pid, seconds)
    send.close()
    try:
        if not receive.poll(PATIENCE * seconds):
            raise TooLong(seconds)
        found, why = receive.recv()
    except EOFError:
        process.join()
        raise TooLong(seconds) if process.exitcode == -signal.SIGXCPU else Stopped(
            f"its process ended with {process.exitcode}") from None
    finally:
        process.terminate()
        process.join()
        receive.close()
    if why is not None:
        raise Stopped(why)
    return found


class Clock:
    """Wall and processor time of a block, of all threads of this process."""

    def __enter__(self):
        self.begun = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_):
        self.wall, self.processor = time.perf_counter() - self.begun[0], time.process_time() - self.begun[1]
