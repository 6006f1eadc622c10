"""Times what script.bqn and transfers.bqn compute with CuPy and, where there is one, PyTorch:  peers.py. Medians, in ms."""
import numpy

from peers_timing import median, report

N = 1 << 28


def report_sent(library, what, call, arrays, wait):
    """Each call takes an array of the host that it has not seen."""
    call(arrays[0])
    calls = [lambda array=array: call(array) for array in arrays[1:]]
    print(f'{library} {what}, sent: {median(calls, wait):.3f}', flush=True)


def with_cupy():
    import cupy
    wait = cupy.cuda.Device().synchronize
    for kind in (cupy.int16, cupy.int32):
        x = (cupy.arange(N, dtype=cupy.int64) * 7919 % 1009).astype(kind)
        name = f'cupy {kind.__name__}'
        report(name, '+´7|1+2×x', lambda: int(((1 + 2 * x) % 7).sum()), wait)
        report(name, '¯1⊑+`(x>500)/x', lambda: int(cupy.cumsum(x[x > 500])[-1]), wait)
        report(name, '¯1⊑+`x', lambda: int(cupy.cumsum(x)[-1]), wait)
        report(name, '⊑∧x', lambda: int(cupy.sort(x)[0]), wait)
        report(name, '¯1⊑/⁼x', lambda: int(cupy.bincount(x)[-1]), wait)
        del x
    report('cupy', '+´7|1+2×↕n', lambda: int(((1 + 2 * cupy.arange(N, dtype=cupy.int32)) % 7).sum()), wait)
    f = cupy.random.rand(N)
    report('cupy', '+´f×f', lambda: float((f * f).sum()), wait)
    report('cupy', '¯1⊑-⟜»f', lambda: float((f - cupy.concatenate((cupy.zeros(1), f[:-1])))[-1]), wait)
    report('cupy', '⊑∧w÷3', lambda: float(cupy.sort(f)[0]), wait)
    del f
    w = cupy.random.randint(0, 10**9, N, dtype=cupy.int32)
    report('cupy int32', '⊑∧w', lambda: int(cupy.sort(w)[0]), wait)
    del w
    k = cupy.arange(N, dtype=cupy.int32) // 500
    report('cupy int32', '+´»⊸≠k', lambda: int((k[1:] != k[:-1]).sum()), wait)
    x = (cupy.arange(N, dtype=cupy.int64) * 7919 % 1009).astype(cupy.int16)
    report('cupy', '¯1⊑+´¨x⊔k', lambda: float(cupy.bincount(x, weights=k)[-1]), wait)
    del k, x
    cupy.get_default_memory_pool().free_all_blocks()
    small = (numpy.arange(N) * 7919 % 1009)
    narrow = [numpy.roll(small, i).astype(numpy.int16) for i in range(6)]
    send = cupy.asarray
    name = 'cupy int16'
    report_sent(name, 'x', send, narrow, wait)
    report_sent(name, '+´7|1+2×x', lambda a: int(((1 + 2 * send(a)) % 7).sum()), narrow, wait)

    def filtered(a):
        x = send(a)
        return int(cupy.cumsum(x[x > 500])[-1])

    report_sent(name, '¯1⊑+`(x>500)/x', filtered, narrow, wait)
    report_sent(name, '¯1⊑+`x', lambda a: int(cupy.cumsum(send(a))[-1]), narrow, wait)
    report_sent(name, '⊑∧x', lambda a: int(cupy.sort(send(a))[0]), narrow, wait)
    report_sent(name, '∧x, back', lambda a: cupy.sort(send(a)).get(), narrow, wait)
    report_sent(name, '+`x, back', lambda a: cupy.cumsum(send(a)).get(), narrow, wait)
    del narrow
    doubles = [numpy.roll(small, i) + 0.5 for i in range(4)]
    report_sent('cupy', 'f', send, doubles, wait)

    def squares(a):
        f = send(a)
        return float((f * f).sum())

    report_sent('cupy', '+´f×f', squares, doubles, wait)
    cupy.get_default_memory_pool().free_all_blocks()


def with_torch():
    try:
        import torch
    except ImportError:
        return
    wait = torch.cuda.synchronize
    x = torch.randint(0, 1009, (N,), dtype=torch.int32, device='cuda')
    report('torch int32', '+´7|1+2×x', lambda: int(((1 + 2 * x) % 7).sum()), wait)
    report('torch int32', '¯1⊑+`(x>500)/x', lambda: int(torch.cumsum(x[x > 500], 0)[-1]), wait)
    report('torch int32', '⊑∧x', lambda: int(torch.sort(x)[0][0]), wait)


with_cupy()
with_torch()
