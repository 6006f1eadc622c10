"""Times what users.bqn computes with CuPy, PyTorch and JAX (compiled), where they are:  users_peers.py. Medians, in ms."""
from peers_timing import report

N = 1 << 28


def with_cupy():
    import cupy
    wait = cupy.cuda.Device().synchronize
    x = (0.5 + (7919 * cupy.arange(N)) % 1009) / 1010
    v = cupy.random.rand(10 ** 8)
    k = cupy.random.randint(0, 1000, 10 ** 8, dtype=cupy.int16)
    wide = cupy.random.randint(0, 10 ** 9, 10 ** 8, dtype=cupy.int32)
    n = 15 * 10 ** 6
    y, places = x[:n].copy(), cupy.random.permutation(n).astype(cupy.int32)
    quarter, new = places[:n // 4], v[:n // 4]
    rows = x[:240 * 10 ** 6].reshape(10 ** 6, 240)
    i8 = (cupy.arange(16384 * 16384, dtype=cupy.int32) % 100).astype(cupy.int8).reshape(16384, 16384)
    thin = i8.reshape(1 << 25, 8)
    half = (7919 * cupy.arange(N, dtype=cupy.int64)) % 100 < 50
    flat = i8.reshape(-1)

    def put(to, at, what):
        copy = to.copy()
        copy[at] = what
        return copy

    def means():
        return cupy.bincount(k, weights=v, minlength=1000) / cupy.bincount(k, minlength=1000)

    def softmax():
        e = cupy.exp(rows - rows.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    for what, f in {
            '1+x': lambda: 1 + x, '⋆⁼1+x': lambda: cupy.log(1 + x), 'Sin x': lambda: cupy.sin(x), 'softmax of 1e6 rows of 240': softmax,
            'sums of 1e6 rows of 240': lambda: rows.sum(axis=1),
            '/⁼⌊v×1000 of 1e8': lambda: cupy.bincount(cupy.floor(v * 1000).astype(cupy.int32)), '(+´÷≠)¨k⊔v of 1e8': means,
            '⍷k of 1e8': lambda: cupy.unique(k), '⍷ of 1e8 of 1e9 values': lambda: cupy.unique(wide),
            'move 1.5e7 (⌾(i⊸⊏))': lambda: put(y, places, y[places]), 'scatter a quarter of 1.5e7': lambda: put(y, quarter, new),
            'change a quarter of 1.5e7': lambda: put(y, quarter, 2 * y[quarter]),
            '⍉ of i8 16384²': lambda: i8.T.copy(), '⍉ of i8 n×8': lambda: thin.T.copy(), 'copy of i8 2^28': lambda: flat.copy(),
            '⍉ of f64 8192²': lambda: x[:8192 * 8192].reshape(8192, 8192).T.copy(), 'half of i8 2^28': lambda: flat[half]}.items():
        report('cupy', what, f, wait)


def with_jax():
    import jax
    import jax.numpy as jnp
    jax.config.update('jax_enable_x64', True)
    x = (0.5 + (7919 * jnp.arange(N)) % 1009) / 1010
    a = jnp.broadcast_to(-2.2 + 3.2 * jnp.arange(4096) / 4096, (4096, 4096))
    b = jnp.broadcast_to((-1.2 + 2.4 * jnp.arange(4096) / 4096)[:, None], (4096, 4096))
    a, b = a + 0.0, b + 0.0

    def line(steps):
        def f(t):
            for _ in range(steps // 8):
                t = 0.3 + 0.9 * (0.1 - 0.7 * (0.2 + 1.1 * (0.4 - 0.8 * t)))
            return t
        return f

    def polynomials(steps):
        def f(t):
            for _ in range(steps // 8):
                t = t * (1.01 - 0.02 * (1 + t + 0.5 * (t - 0.25 * t)))
            return t
        return f

    def mandelbrot(t):
        def step(_, state):
            p, q, n = state
            u, w = p * p, q * q
            near = 4 >= u + w
            return jnp.where(near, a + u - w, 0), jnp.where(near, b + 2 * p * q, 0), n + near
        zero = jnp.zeros((4096, 4096))
        return jax.lax.fori_loop(0, 50, step, (zero, zero, jnp.zeros((4096, 4096), jnp.int32)))[2].sum() + t

    def options(s):
        d = (jnp.log(s / 100) + 0.06) / 0.2
        normal = lambda z: 0.5 * (1 + jax.scipy.special.erf(z / jnp.sqrt(2.0)))
        return s * normal(d) - 100 * jnp.exp(-0.04) * normal(d - 0.2)

    for what, (f, argument) in {
            '1+x': (lambda t: 1 + t, x), 'chain of 16': (line(16), x), 'chain of 32': (line(32), x),
            'chain of 16, folded': (lambda t: line(16)(t).sum(), x),
            'polynomials of 16': (polynomials(16), x), 'polynomials of 32': (polynomials(32), x), 'Black-Scholes 1e7': (options, 50 + 100 * x[:10 ** 7]),
            'mandelbrot 4096², 50 steps': (mandelbrot, 0)}.items():
        compiled = jax.jit(f)
        report('jax', what, lambda f=compiled, t=argument: f(t).block_until_ready(), lambda: None)


def with_torch():
    import torch
    wait = torch.cuda.synchronize
    rows = torch.rand(10 ** 6, 240, dtype=torch.float64, device='cuda')
    i8 = (torch.arange(N, dtype=torch.int32, device='cuda') % 100).to(torch.int8)
    flags = i8 > 20
    wide, tall = i8.reshape(16384, 16384), i8.reshape(1 << 22, 64)
    for what, f in {
            'a draw from each of 1e6 rows of 240': lambda: torch.multinomial(rows, 1), 'softmax of 1e6 rows of 240': lambda: torch.softmax(rows, 1),
            '1+ i8 2^28': lambda: 1 + i8, 'i8 > 20 2^28': lambda: i8 > 20, '∧ of bools 2^28': lambda: flags & flags, '+´ of bools 2^28': lambda: flags.sum(),
            '+´˘ of i8 16384²': lambda: wide.sum(1), '+˝ of i8 16384²': lambda: wide.sum(0), '+˝ of i8 2^22×64': lambda: tall.sum(0)}.items():
        report('torch', what, f, wait)


for library in (with_cupy, with_jax, with_torch):
    try:
        library()
    except ImportError as missing:
        print(missing)
