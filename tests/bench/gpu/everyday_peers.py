"""Times what everyday.bqn computes with CuPy, where it is: everyday_peers.py. Medians, in ms."""
import cupy as np
from peers_timing import report

N = 10 ** 7
side = 3160
wait = np.cuda.Device().synchronize
rand = np.random
img = rand.randint(0, 256, (side, side), dtype=np.uint8)
wide = img.astype(np.int16)
x = rand.rand(N)
y = 2 * x + .1 * rand.standard_normal(N)
k = rand.randint(0, 1000, N, dtype=np.int16)
v = 100 * rand.rand(N)
text = np.asarray(list(b'abcdefghijklmnopqrstuvwxyz    '), dtype=np.uint8)[rand.randint(0, 30, N)]
cols = x[:N // 8 * 8].reshape(-1, 8)
runs = (1 + np.arange(N) // 3).astype(np.int32)
digits = (48 + rand.randint(0, 10, N)).astype(np.uint8)
letters = (97 + rand.randint(0, 26, N)).astype(np.uint8)
key = np.asarray([letter - 97 for letter in b'griddle'], dtype=np.uint8)
days = 10000 + rand.randint(0, 10000, N, dtype=np.int32)
dates = rand.randint(0, 20000, N, dtype=np.int32)
spins = (2 * rand.randint(0, 2, (side, side)) - 1).astype(np.int8)
even = ((np.arange(side)[:, None] + np.arange(side)) % 2).astype(np.int8)
q = rand.rand(3000)
whole = np.floor(1e6 * x[:N // 8]).astype(np.int32)
link = rand.rand(1000, 1000)
labels = (x[:N // 8] > .5).astype(float)
prices = rand.rand(1000)
ids = rand.permutation(1000).astype(np.int16)


def roll(a, by, axis=None):
    return np.roll(a, tuple(-b for b in by) if isinstance(by, tuple) else -by, axis)


def equalize():
    h = np.bincount(img.ravel(), minlength=256)
    return (255 * np.cumsum(h) // img.size).astype(np.uint8)[img]


def sobel():
    gx = (roll(wide, 1, 1) - roll(wide, -1, 1)) + .5 * (roll(wide, (1, 1), (0, 1)) - roll(wide, (1, -1), (0, 1)))
    gy = (roll(wide, 1, 0) - roll(wide, -1, 0)) + .5 * (roll(wide, (1, 1), (0, 1)) - roll(wide, (-1, 1), (0, 1)))
    return 200 < np.sqrt(gx * gx + gy * gy)


def blur():
    rows = wide[:-2] + wide[1:-1] + wide[2:]
    return (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) / 9


def median():
    windows = np.lib.stride_tricks.sliding_window_view(x[:N // 4], 5)
    return np.sort(windows, axis=1)[:, 2]


def regression():
    mx, my = x.mean(), y.mean()
    b = ((x - mx) * (y - my)).sum() / ((x - mx) ** 2).sum()
    e = y - (my - b * mx + b * x)
    return 1 - (e * e).sum() / ((y - my) ** 2).sum()


def correlations():
    z = cols - cols.mean(axis=0)
    z /= np.sqrt((z * z).mean(axis=0))
    return z.T @ z / len(cols)


def fir():
    return sum(w / 16 * roll(x, by) for w, by in ((1, 0), (3, 1), (4, 2), (4, 3), (3, 4), (1, 5)))


def encode():
    first = np.flatnonzero(np.concatenate((np.ones(1, bool), runs[1:] != runs[:-1])))
    return runs[first], np.diff(first, append=N)


def word_lengths():
    place = np.flatnonzero(text == 32)
    return np.bincount(np.maximum(0, np.diff(place) - 1))


def less_mean():
    return v - (np.bincount(k, weights=v, minlength=1000) / np.bincount(k, minlength=1000))[k]


def top():
    return np.argsort(-np.bincount(k, weights=v, minlength=1000))[:10]


def join():
    order = np.argsort(ids)
    return (v * prices[order[np.searchsorted(ids[order], k)]]).sum()


def months():
    z = days + 719468
    e = z // 146097
    d = z - 146097 * e
    year = (d - d // 1460 + d // 36524 - d // 146096) // 365
    f = d - (365 * year + year // 4 - year // 100)
    return np.bincount((2 + 5 * f) // 153)


def ising():
    s = spins
    for mask in (even, 1 - even):
        h = roll(s, 1, 0) + roll(s, -1, 0) + roll(s, 1, 1) + roll(s, -1, 1)
        s = s * (1 - 2 * (mask * ((s * h) < .5)))
    return s


def pairs():
    d = q - q[:, None]
    return (d / (.01 + (d * d) ** 1.5)).sum(axis=0)


def wave():
    u = old = x
    for _ in range(20):
        before, after = np.concatenate((np.zeros(1), u[:-1])), np.concatenate((u[1:], np.zeros(1)))
        u, old = 2 * u - (old - .25 * (before + (after - 2 * u))), u
    return u


def rank():
    m = link / link.sum(axis=0)
    r = np.ones(1000)
    for _ in range(20):
        r = .15 + .85 * (m @ r)
    return r


def interpolate():
    xs = np.arange(1001) / 1000
    ys = xs * xs
    i = np.minimum(999, np.searchsorted(xs, x, side='right') - 1)
    return ys[i] + (ys[i + 1] - ys[i]) * 1000 * (x - xs[i])


def horner():
    r = 1 / 8
    for n in range(7, 0, -1):
        r = 1 / n + x * r
    return r


def logistic():
    w = np.zeros(8)
    for _ in range(5):
        w = w - .1 * ((1 / (1 + np.exp(-(cols @ w))) - labels) @ cols) / len(cols)
    return w


def outliers():
    d = abs(y - y.mean())
    return d[3 * np.sqrt((d * d).mean()) < d]


def winsorize():
    s = np.sort(y)
    return np.clip(y, s[N // 100], s[N * 99 // 100])


def rank_sums():
    order = np.argsort(y)
    ranks = np.empty(N, np.int32)
    ranks[order] = np.arange(1, N + 1, dtype=np.int32)
    return ranks[x > .5].sum()


def entropy():
    p = np.bincount(k) / N
    return -(p * np.log2(p)).sum()


def autocorrelation():
    d = y - y.mean()
    return [float((d[n:] * d[:-n]).sum() / (d * d).sum()) for n in range(1, 11)]


for what, f in {
        'equalize': equalize, 'sobel': sobel, 'blur': blur, 'median of 5': median, 'threshold': lambda: (img > img.mean()) * img,
        'halve': lambda: wide.reshape(side // 2, 2, side // 2, 2).sum(axis=(1, 3)) / 4, 'regression': regression, 'correlations': correlations,
        'quantiles': lambda: np.sort(x)[np.asarray([N // 20, N // 4, N // 2, 3 * N // 4, 19 * N // 20])],
        'bootstrap': lambda: sum(x[rand.randint(0, N, N // 20)].mean() for _ in range(20)), 'fir': fir, 'runs': encode, 'word lengths': word_lengths,
        'letters': lambda: np.bincount(text[text != 32] - 97), 'fixed numbers': lambda: (digits.reshape(-1, 8) - 48) @ (10 ** np.arange(7, -1, -1)),
        'capitals': lambda: text - 32 * ((np.concatenate((np.zeros(1, bool), text[:-1] == 32)) & (text != 32)).astype(np.uint8)),
        'vigenere': lambda: 97 + (letters - 97 + np.resize(key, N)) % 26, 'by key less mean': less_mean, 'top keys': top, 'join': join,
        'pivot': lambda: np.bincount(k // 100 + 10 * (k % 100), minlength=1000).reshape(100, 10), 'months of days': months,
        'pi': lambda: 4 * (rand.rand(N) ** 2 + rand.rand(N) ** 2 <= 1).sum() / N, 'ising': ising, 'pairs': pairs, 'wave': wave,
        'digit sums': lambda: sum(whole // 10 ** i % 10 for i in range(7)), 'rank': rank, 'interpolate': interpolate, 'horner': horner,
        'logistic': logistic, 'value at risk': lambda: np.sort(cols @ (.1 * np.arange(1, 9)))[len(cols) // 20], 'outliers': outliers,
        'winsorize': winsorize, 'rank sums': rank_sums, 'entropy': entropy, 'autocorrelation': autocorrelation,
        'checksum': lambda: ((1 + np.arange(N) % 65521) * text).sum() % 65521, 'mirror': lambda: np.concatenate((img[:, ::-1], img), axis=1),
        'cumulative returns': lambda: np.cumprod(1 + .001 * (x - .5)), 'days': lambda: np.bincount(dates % 7, weights=v) / np.bincount(dates % 7)}.items():
    report('CuPy', what, f, wait)
