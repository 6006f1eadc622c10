"""How other libraries are timed: medians of several calls, each of which ends when the device has done."""
import time


def median(calls, wait):
    times = []
    for call in calls:
        wait()
        start = time.perf_counter()
        call()
        wait()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2] * 1e3


def report(library, what, call, wait):
    call()
    print(f'{library} {what}: {median([call] * 9, wait):.3f}', flush=True)
