"""Times what script.bqn computes with CuPy and, where there is one, PyTorch:  peers.py. Medians of 9, in ms."""
import time

N = 1 << 28


def median(call, wait):
    call()
    times = []
    for _ in range(9):
        wait()
        start = time.perf_counter()
        call()
        wait()
        times.append(time.perf_counter() - start)
    return sorted(times)[4] * 1e3


def main():
    import cupy
    wait = cupy.cuda.Device().synchronize
    for kind in (cupy.int16, cupy.int32):
        x = (cupy.arange(N, dtype=cupy.int64) * 7919 % 1009).astype(kind)
        name = f'cupy {kind.__name__}'
        print(f'{name} +´7|1+2×x: {median(lambda: int(((1 + 2 * x) % 7).sum()), wait):.3f}')
        print(f'{name} ¯1⊑+`(x>500)/x: {median(lambda: int(cupy.cumsum(x[x > 500])[-1]), wait):.3f}')
        print(f'{name} ¯1⊑+`x: {median(lambda: int(cupy.cumsum(x)[-1]), wait):.3f}')
        print(f'{name} ⊑∧x: {median(lambda: int(cupy.sort(x)[0]), wait):.3f}')
        del x
    print(f'cupy +´7|1+2×↕n: {median(lambda: int(((1 + 2 * cupy.arange(N, dtype=cupy.int32)) % 7).sum()), wait):.3f}')
    f = cupy.random.rand(N)
    print(f'cupy +´f×f: {median(lambda: float((f * f).sum()), wait):.3f}')
    try:
        import torch
    except ImportError:
        return
    x = torch.randint(0, 1009, (N,), dtype=torch.int32, device='cuda')
    wait = torch.cuda.synchronize
    print(f'torch int32 +´7|1+2×x: {median(lambda: int(((1 + 2 * x) % 7).sum()), wait):.3f}')
    print(f'torch int32 ¯1⊑+`(x>500)/x: {median(lambda: int(torch.cumsum(x[x > 500], 0)[-1]), wait):.3f}')


main()
