"""Hands spoilt files to the commands, as many as wanted: `python -m tests.fuzz read --inputs 100000 --seed 1`.

Input number N of a seed is always the same. Wrong are: an exit code that is not documented for the command (a bug of
ours is 1), a traceback, more seconds than LIMIT, more memory than MOST_RESIDENT. Each wrong input is kept as a file.
One that does not come to an end ends the run, and says where it stood.
"""

import argparse
import faulthandler
import math
import os
import random
import resource
import sys
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.kinds import KINDS, call, prepared

LIMIT = 10.0
"""Seconds of the processor for one input: seconds of the clock would tell how busy the machine is."""

HANGS = 600.0
"""Seconds of the clock after which an input is taken to hang, on a machine that has hardly any time for it."""

MOST_RESIDENT = 1e9
"""Bytes of memory that the process may come to use."""

MOST_ADDRESSES = 6 * 2**30
"""Bytes of address space, so that a wrong input harms nobody else; the libraries alone take half of it."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=[*KINDS])
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"), help="where wrong inputs are kept")
    options = parser.parse_args()
    kind = prepared(options.kind)
    good = kind.good()
    for content in good:  # so that no input has to wait for a solver that is compiled first
        call(kind.arguments(content))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    report = os.fdopen(os.dup(2), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # image libraries complain there by themselves
    codes: Counter[int] = Counter()
    wrong, slowest, peak, start = 0, 0.0, _peak(), time.perf_counter()
    armed = -math.inf
    for number in range(options.first, options.first + options.inputs):
        content = kind.spoilt(good, random.Random(f"{options.kind} {options.seed} {number}"))
        arguments = kind.arguments(content)
        if time.monotonic() > armed + 1:  # each time starts a thread, which takes as long as some inputs
            faulthandler.dump_traceback_later(HANGS, exit=True, file=report)
            armed = time.monotonic()
        began = time.process_time()
        try:
            code, _, remarks = call(arguments)
        except BaseException as error:
            code, remarks = -1, f"{type(error).__name__}: {error}"
        took = time.process_time() - began
        codes[code] += 1
        slowest = max(slowest, took)
        greedy = peak <= MOST_RESIDENT < (peak := _peak())
        if code not in kind.codes or took > LIMIT or greedy:
            wrong += 1
            options.keep.mkdir(exist_ok=True)
            file = options.keep / f"{options.kind}-{options.seed}-{number}"
            file.write_bytes(content)
            told = f"exit code {code} after {took:.1f} s and {peak / 1e6:.0f} MB"
            print(f"input {number}: {told}: {remarks[-300:]} ({file})", file=report)
        if number % 5000 == 4999:
            print(f"{number + 1} inputs, {wrong} wrong, {time.perf_counter() - start:.0f} s", file=report)
    faulthandler.cancel_dump_traceback_later()
    told = ", ".join(f"{code}: {count}" for code, count in sorted(codes.items()))
    print(
        f"{options.kind}: {options.inputs} inputs of seed {options.seed}, {wrong} wrong; exit codes {told}; "
        f"slowest {slowest:.2f} s, peak {peak / 1e6:.0f} MB, {time.perf_counter() - start:.0f} s in all"
    )
    return 1 if wrong else 0


def _peak() -> float:
    """Return the most memory, in bytes, that the process has used."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1e3


if __name__ == "__main__":
    sys.exit(main())
