"""Work in a process of its own, which ends at a limit."""

import multiprocessing
import time


class Stopped(Exception):
    """Why there is no answer."""


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
    send.close()
    try:
        if not receive.poll(seconds):
            raise Stopped(f"longer than {seconds:g} s")
        found, why = receive.recv()
    except EOFError:
        process.join()
        raise Stopped(f"its process ended with {process.exitcode}") from None
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
