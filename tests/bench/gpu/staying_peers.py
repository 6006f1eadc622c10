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
    for what, f in {'⋆⁼1+x': lambda: torch.log(1 + x), 'Sin x': lambda: torch.sin(x), 'matrix, matrix': lambda: a @ b,
                    'softmax of rows': lambda: torch.softmax(a, 1), '∧˘': lambda: torch.sort(b, dim=1, stable=True)}.items():
        report('torch', what, f, wait)


with_cupy()
with_torch()
