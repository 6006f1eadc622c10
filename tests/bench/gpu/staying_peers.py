"""Times what staying.bqn computes with CuPy and, where there is one, PyTorch:  staying_peers.py. Medians, in ms."""
from peers_timing import report

N = 1 << 28


def with_cupy():
    import cupy
    wait = cupy.cuda.Device().synchronize
    x = cupy.random.rand(N)
    for what, f in {'⋆⁼1+x': lambda: cupy.log(1 + x), '+´⋆⁼1+x': lambda: float(cupy.log(1 + x).sum()), '⋆x': lambda: cupy.exp(x),
                    'Sin x': lambda: cupy.sin(x), 'Tan x': lambda: cupy.tan(x), 'Tanh x': lambda: cupy.tanh(x),
                    'x Hypot x': lambda: cupy.hypot(x, x), 'x Atan2 x': lambda: cupy.arctan2(x, x),
                    'x⊐⌈´x': lambda: int(cupy.argmax(x))}.items():
        report('cupy', what, f, wait)
    a, b = x[:1 << 24].reshape(4096, 4096), x[-(1 << 24):].reshape(4096, 4096)
    v, c = x[:4096], x[:1 << 19]

    def softmax():
        e = cupy.exp(a - a.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    for what, f in {'matrix, matrix': lambda: a @ b, 'matrix, transposed': lambda: a @ b.T, 'matrix, vector': lambda: a @ v,
                    '+´ of 2^19': lambda: float(c.sum()), 'softmax of rows': softmax, '∧˘': lambda: cupy.sort(b, axis=1),
                    '⍋˘': lambda: cupy.argsort(b, axis=1)}.items():
        report('cupy', what, f, wait)


def with_torch():
    try:
        import torch
    except ImportError:
        return
    wait = torch.cuda.synchronize
    x = torch.rand(N, dtype=torch.float64, device='cuda')
    a, b = x[:1 << 24].reshape(4096, 4096), x[-(1 << 24):].reshape(4096, 4096)
    p, c = x[:8 * 10 ** 6].reshape(10 ** 6, 8), torch.rand(16, 8, dtype=torch.float64, device='cuda')

    def step():
        nearest = ((c * c).sum(1) - 2 * (p @ c.T)).argmin(1)
        sums = torch.zeros_like(c).index_add_(0, nearest, p)
        return sums / torch.bincount(nearest, minlength=16).clamp(min=1)[:, None]

    for what, f in {'⋆⁼1+x': lambda: torch.log(1 + x), 'Sin x': lambda: torch.sin(x), 'matrix, matrix': lambda: a @ b,
                    'step of k-means': step, 'softmax of rows': lambda: torch.softmax(a, 1), '∧˘': lambda: torch.sort(b, dim=1, stable=True)}.items():
        report('torch', what, f, wait)


with_cupy()
with_torch()
