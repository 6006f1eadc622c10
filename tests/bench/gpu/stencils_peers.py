"""Times what stencils.bqn computes with JAX, compiled, and CuPy:  stencils_peers.py. Medians, in ms."""
import jax
import jax.numpy as jnp
from peers_timing import report

jax.config.update('jax_enable_x64', True)
N, SIDE = 10 ** 8, 8192


def with_jax():
    x = (0.5 + (7919 * jnp.arange(N)) % 1009) / 1010
    board = ((jnp.arange(SIDE * SIDE).reshape(SIDE, SIDE) ** 2 // 1000) % 7 % 3 == 2).astype(jnp.int8)
    t = x[:SIDE * SIDE].reshape(SIDE, SIDE)

    def nine(b):
        s = sum(jnp.roll(b, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1))
        return (s == 3) | ((b == 1) & (s == 4))

    def window(f, start):
        return lambda a: jax.lax.reduce_window(a, start, f, (5,), (1,), 'VALID')

    programs = {
        '+´˘5↕x': (window(jax.lax.add, 0.0), x), '⌈´˘5↕x': (window(jax.lax.max, -jnp.inf), x),
        'sum of five shifts': (lambda a: sum(a[i:N - 4 + i] for i in range(5)), x),
        '+˝5↕x': (lambda a: jnp.stack([a[i:N - 4 + i].sum() for i in range(5)]), x),
        'x+1⌽x': (lambda a: a + jnp.roll(a, -1), x),
        'second differences': (lambda a: jnp.roll(a, 1) + jnp.roll(a, -1) - 2 * a, x),
        '+´x×1⌽x': (lambda a: (a * jnp.roll(a, -1)).sum(), x), 'x+⌽x': (lambda a: a + a[::-1], x), 'life, nine rotations': (nine, board),
        'heat, 8192² doubles': (lambda a: 0.25 * (jnp.roll(a, 1, 0) + jnp.roll(a, -1, 0) + jnp.roll(a, 1, 1) + jnp.roll(a, -1, 1)), t)}
    for what, (f, argument) in programs.items():
        compiled = jax.jit(f)
        report('jax', what, lambda f=compiled, a=argument: f(a).block_until_ready(), lambda: None)


with_jax()
