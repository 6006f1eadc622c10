#!/usr/bin/env python3
"""Packs the Python package:  backend.py wheel BUILD FOLDER | tree BUILD FOLDER

`wheel` makes a wheel of a finished build; `tree` puts into a folder what a wheel unpacks to, as packages of a system hold it. pip calls
build_wheel (PEP 517), which builds first. Nothing but Python is needed, so that wheels are made without a network.
"""
import base64
import glob
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import time
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = ['__init__.py', '__init__.pyi', 'errors.py', 'kernel.py', 'magic.py', 'py.typed']


def read(*path):
    with open(os.path.join(ROOT, *path), encoding='utf8') as file:
        return file.read()


def version():
    return re.search(r"^ *version: '(.*?)'", read('meson.build'), re.M).group(1)


def metadata():
    description = read('spec', 'python.md')
    return (f'Metadata-Version: 2.1\nName: griddle\nVersion: {version()}\nSummary: BQN, the array programming language, with NumPy arrays in place\n'
            'License: MIT\nRequires-Python: >=3.9\nRequires-Dist: numpy\nClassifier: License :: OSI Approved :: MIT License\n'
            f'Description-Content-Type: text/markdown\n\n{description}')


def extension(build):
    """Gives the extension of a build, and the tag of the Python that loads it."""
    found = glob.glob(os.path.join(build, 'runtime', 'python', 'griddle', '_griddle.cpython-*.so'))
    if len(found) != 1:
        sys.exit(f'backend.py: no Python package in {build}: build.sh full --python')
    python = 'cp' + re.search(r'cpython-(\d+)', found[0]).group(1)
    machine = re.sub('[-.]', '_', sysconfig.get_platform())
    return found[0], f'{python}-{python}-{machine}'


def contents(build):
    """Gives the bytes of each file of the package, by its name."""
    library, tag = extension(build)
    files = {'griddle/' + name: read('runtime', 'python', 'griddle', name).encode() for name in FILES}
    libraries = {'griddle/' + os.path.basename(library): library}
    plugin = os.path.join(build, 'gpu', 'cuda', 'libgriddle_cuda.so')
    if os.path.exists(plugin):
        libraries['griddle/libgriddle_cuda.so'] = plugin
    for name, path in libraries.items():
        stripped = path + '.stripped'
        subprocess.run(['strip', '--strip-unneeded', '-o', stripped, path], check=True)
        with open(stripped, 'rb') as file:
            files[name] = file.read()
        os.unlink(stripped)
    folder = f'griddle-{version()}.dist-info/'
    files[folder + 'METADATA'] = metadata().encode()
    files[folder + 'WHEEL'] = f'Wheel-Version: 1.0\nGenerator: griddle\nRoot-Is-Purelib: false\nTag: {tag}\n'.encode()
    files[folder + 'LICENSE'] = read('LICENSE').encode()
    hashes = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode() for name, data in files.items()}
    lines = [f'{name},sha256={hashes[name]},{len(data)}\n' for name, data in files.items()]
    files[folder + 'RECORD'] = (''.join(lines) + folder + 'RECORD,,\n').encode()
    return files, tag


def make_wheel(build, folder):
    files, tag = contents(build)
    name = f'griddle-{version()}-{tag}.whl'
    # Files bear the time of the commit where one is given. No time before 1980 fits an archive.
    moment = time.gmtime(max(int(os.environ.get('SOURCE_DATE_EPOCH', time.time())), 315532800))[:6]
    os.makedirs(folder, exist_ok=True)
    with zipfile.ZipFile(os.path.join(folder, name), 'w', zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if path.endswith('.so') else 0o644) << 16
            archive.writestr(entry, data)
    return name


def make_tree(build, folder):
    files, _ = contents(build)
    for name, data in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as file:
            file.write(data)


# --- what pip calls


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = f'griddle-{version()}.dist-info'
    os.makedirs(os.path.join(metadata_directory, name))
    with open(os.path.join(metadata_directory, name, 'METADATA'), 'w', encoding='utf8') as file:
        file.write(metadata())
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    kind = (config_settings or {}).get('build', 'full')
    # What pip hides from this Python, meson needs.
    environment = {name: value for name, value in os.environ.items() if not name.startswith('PYTHON')}
    subprocess.run([os.path.join(ROOT, 'build.sh'), kind, '--python'], check=True, env=environment)
    return make_wheel(os.path.join(ROOT, 'build', kind), wheel_directory)


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ('wheel', 'tree'):
        sys.exit(__doc__)
    if sys.argv[1] == 'wheel':
        print(make_wheel(sys.argv[2], sys.argv[3]))
    else:
        make_tree(sys.argv[2], sys.argv[3])


if __name__ == '__main__':
    main()
