#!/usr/bin/env python3
"""Installs a finished build into an empty folder and uses it as others would:  install_tests.py BUILD

The executable runs from wherever it lies and finds its plug-in; hosts find the library through pkg-config and CMake, as a shared and
as a static one; the shared one exports the public interface and nothing else. A meson project takes the tree as a subproject.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from embedding_tests import marked
from python_tests import python_for
from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLE_C = r'''
#include <griddle/griddle.h>
#include <stdio.h>
int main(void) {
  griddle_failure* why = NULL;
  griddle_interpreter* bqn = griddle_new(NULL, &why);
  griddle_value sum = griddle_eval(bqn, griddle_string("+\xc2\xb4\xe2\x86\x95\x31\x30"), griddle_string(""), &why);
  printf("%s %g\n", griddle_version(), griddle_number_of(sum));
  griddle_release(sum);
  griddle_delete(bqn);
  return why != NULL;
}
'''
SAMPLE_DEVICE = r'''
#include <griddle/griddle.hpp>
#include <cstdio>
int main() {
  griddle::Options options;
  options.device = griddle::DeviceUse::automatic;
  std::printf("%s\n", griddle::find_device(options).plugin.c_str());
}
'''
# A host that knows nothing of the library when it is linked.
SAMPLE_LOADED = r'''
#include <dlfcn.h>
#include <griddle/griddle.h>
#include <stdio.h>
int main(int count, char** words) {
  void* library = count > 1 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) return 2;
  const char* (*version)(void) = (const char* (*)(void))dlsym(library, "griddle_version");
  griddle_interpreter* (*make)(const griddle_options*, griddle_failure**) =
      (griddle_interpreter * (*)(const griddle_options*, griddle_failure**)) dlsym(library, "griddle_new");
  griddle_value (*eval)(griddle_interpreter*, griddle_text, griddle_text, griddle_failure**) =
      (griddle_value(*)(griddle_interpreter*, griddle_text, griddle_text, griddle_failure**))dlsym(library, "griddle_eval");
  double (*number)(griddle_value) = (double (*)(griddle_value))dlsym(library, "griddle_number_of");
  printf("%s %g\n", version(), number(eval(make(NULL, NULL), griddle_string("+\xc2\xb4\xe2\x86\x95\x31\x30"), griddle_string(""), NULL)));
  return 0;
}
'''
MAKEFILE = '''
host: host.c
	$(CC) -std=c99 -Wall -Wextra -Werror -pedantic $< -o $@ $$(pkg-config --cflags --libs griddle)
'''
PROJECT = '''
cmake_minimum_required(VERSION 3.18)
project(host CXX C)
find_package(Griddle {version} REQUIRED)
add_executable(shared embed.cc)
target_link_libraries(shared Griddle::griddle)
add_executable(static embed.cc)
target_link_libraries(static Griddle::static)
add_executable(c host.c)
target_link_libraries(c Griddle::static)
'''
SUBPROJECT_HOST = '''
project('host', 'cpp', default_options: 'cpp_std=c++20')
executable('host', 'host.cc', dependencies: dependency('griddle', fallback: 'griddle'))
'''
# Names that the shared library exports: those of C.
EXPORTED = re.compile(r'(griddle|bqn)_\w+$')
FILES = ['bin/bqn', 'lib/libgriddle.a', 'lib/libgriddle.so', 'lib/pkgconfig/griddle.pc', 'lib/cmake/Griddle/GriddleConfig.cmake',
         'include/griddle/griddle.h', 'include/griddle/griddle_analysis.h', 'include/griddle/griddle.hpp', 'include/griddle/griddle_values.hpp',
         'include/griddle/griddle_inline.hpp', 'include/griddle/griddle_ffi.h', 'share/man/man1/bqn.1',
         'share/bash-completion/completions/bqn', 'share/zsh/site-functions/_bqn', 'share/fish/vendor_completions.d/bqn.fish',
         'share/doc/griddle/CHANGELOG.md', 'share/griddle/editors/vim/syntax/bqn.vim', 'share/griddle/editors/emacs/bqn-mode.el',
         'share/griddle/editors/vscode/package.json']


def run_command(command, **options):
    """Runs a command; gives its status and what it printed on either stream."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, errors='replace', **options)
    return done.returncode, done.stdout


class Installed:
    """A build that is installed in a folder and moved from there, as a package would be."""

    def __init__(self, build, folder, report):
        self.folder, self.report = folder, report
        self.project = json.loads(subprocess.run(['meson', 'introspect', '--projectinfo', build], capture_output=True, text=True).stdout)
        self.version = self.project['version']
        options = json.loads(subprocess.run(['meson', 'introspect', '--buildoptions', build], capture_output=True, text=True).stdout)
        options = {option['name']: option['value'] for option in options}
        self.compiler = os.environ.get('CXX', 'c++').split()
        self.works = all(self.succeeds(name, command) for name, command in {
            'ninja packed': ['ninja', '-C', build, 'packed'],
            'meson install': ['meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', folder + '/staged']}.items())
        # Debian's meson would put libraries into a folder for the machine.
        self.libraries = options['libdir']
        self.tree = folder + '/moved'
        if self.works:
            os.rename(folder + '/staged' + options['prefix'], self.tree)
        self.environment = {**os.environ, 'PKG_CONFIG_PATH': self.path('lib/pkgconfig')}

    def path(self, name):
        return os.path.join(self.tree, re.sub('^lib/', self.libraries + '/', name))

    def succeeds(self, name, command, **options):
        status, text = run_command(command, **options)
        return self.report.check(status == 0, f'installed: {name}', text[-3000:])

    def prints(self, name, command, wanted, **options):
        status, text = run_command(command, **options)
        self.report.check((status, text) == (0, wanted), f'installed: {name}', f'{status}\n{text}')

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf8') as file:
            file.write(text)
        return path

    def flags(self, *arguments):
        return run_command(['pkg-config', *arguments, 'griddle'], env=self.environment)[1].split()


def check_executable(tree):
    for name in FILES:
        tree.report.check(os.path.exists(tree.path(name)), f'installed: {name}')
    tree.prints('the executable runs', [tree.path('bin/bqn'), '-p', '+´↕10'], '45\n')
    link = tree.folder + '/link'
    os.symlink(tree.path('bin/bqn'), link)
    if not os.path.exists(tree.path('lib/griddle/libgriddle_cuda.so')):
        tree.report.check(run_command([link, '--version'])[1].endswith('\ndevice: plug-in not installed\n'), 'installed: no plug-in is found')
        os.makedirs(tree.path('lib/griddle'))
        open(tree.path('lib/griddle/libgriddle_cuda.so'), 'w', encoding='utf8').close()
    line = run_command([link, '--version'])[1].split('\n')[2]
    tree.report.check(line.startswith('device: ') and line != 'device: plug-in not installed', 'installed: the executable finds its plug-in', line)


def check_pages(tree):
    with open(tree.path('share/man/man1/bqn.1'), encoding='utf8') as file:
        tree.report.check('.TH BQN 1' in file.read(), 'installed: a manual page')
    completion = '. "$1"; COMP_WORDS=(bqn --s); COMP_CWORD=1; _bqn; echo "${COMPREPLY[@]}"'
    if shutil.which('bash'):
        tree.prints('bash completes options', ['bash', '-c', completion, 'bash', tree.path('share/bash-completion/completions/bqn')], '--safe\n')


def check_exports(tree):
    library = tree.path('lib/libgriddle.so')
    symbols = re.findall(r'^\S+ \w (\S+)$', run_command(['nm', '-D', '--defined-only', library])[1], re.M)
    strange = [symbol for symbol in symbols if not EXPORTED.match(symbol)]
    tree.report.check(len(symbols) > 100 and not strange, 'installed: the library exports its interface alone', f'{len(symbols)}, of which {strange[:20]}')
    clashing = re.findall(r' [TDBRWVu] (_ZN\w*3hwy\w+)$', run_command(['nm', '--defined-only', tree.path('lib/libgriddle.a')])[1], re.M)
    tree.report.check(not clashing, 'installed: the static library has a Highway of its own', repr(clashing[:5]))
    dynamic = run_command(['readelf', '-d', library])[1]
    minor = '.'.join(tree.version.split('.')[:2]) if tree.version.startswith('0.') else tree.version.split('.')[0]
    tree.report.check('TEXTREL' not in dynamic and f'soname: [libgriddle.so.{minor}]' in dynamic, 'installed: the library has a name and no text relocations', dynamic)
    needed = re.findall(r'NEEDED.*\[(.*?)\]', run_command(['readelf', '-d', tree.path('bin/bqn')])[1])
    tree.report.check(set(needed) <= {'libc.so.6', 'libm.so.6', 'ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1'},
                      'installed: the executable needs the C library alone', repr(needed))


def check_pkg_config(tree, source, wanted):
    tree.prints('pkg-config gives the version', ['pkg-config', '--modversion', 'griddle'], tree.version + '\n', env=tree.environment)
    tree.prints('pkg-config finds no later one', ['sh', '-c', f'! pkg-config --exists "griddle > {tree.version}"'], '', env=tree.environment)
    host = tree.folder + '/host'
    searched = {**os.environ, 'LD_LIBRARY_PATH': os.path.dirname(tree.path('lib/libgriddle.so'))}
    if tree.succeeds('a host compiles', [*tree.compiler, '-std=c++20', source, '-o', host, *tree.flags('--cflags', '--libs')]):
        tree.prints('a host runs with the shared library', [host], wanted, env=searched)
    flags = ['-l:libgriddle.a' if flag == '-lgriddle' else flag for flag in tree.flags('--static', '--cflags', '--libs')]
    if tree.succeeds('a host compiles with the static library', [*tree.compiler, '-std=c++20', source, '-o', host, *flags]):
        tree.prints('a host runs with the static library', [host], wanted)
    plugin = tree.write('plugin.cc', SAMPLE_DEVICE)
    if tree.succeeds('a host that asks for the plug-in compiles', [*tree.compiler, '-std=c++20', plugin, '-o', host, *tree.flags('--cflags', '--libs')]):
        tree.prints('the shared library finds its plug-in', [host], tree.path('lib/griddle/libgriddle_cuda.so') + '\n', env=searched)


def check_cmake(tree, source, wanted):
    if not shutil.which('cmake'):
        print('     (the CMake package is not tried: cmake is not installed)')
        return
    folder = os.path.dirname(source)
    tree.write('CMakeLists.txt', PROJECT.format(version='.'.join(tree.version.split('.')[:2])))
    tree.write('host.c', SAMPLE_C)
    build = folder + '/with_cmake'
    if not tree.succeeds('CMake finds the library', ['cmake', '-S', folder, '-B', build, '-G', 'Ninja', '-DCMAKE_PREFIX_PATH=' + tree.tree]):
        return
    if tree.succeeds('hosts compile with CMake', ['cmake', '--build', build]):
        for name in 'shared', 'static':
            tree.prints(f'a host of CMake runs with the {name} library', [f'{build}/{name}'], wanted)
        tree.prints('a host in C runs', [build + '/c'], tree.version + ' 45\n')


def check_other_hosts(tree, source, wanted):
    """Hosts in C, by make and by loading the library, and in C++ compiled as the library was not."""
    host = tree.folder + '/other_host'
    searched = {**tree.environment, 'LD_LIBRARY_PATH': os.path.dirname(tree.path('lib/libgriddle.so'))}
    tree.write('host.c', SAMPLE_C)
    tree.write('Makefile', MAKEFILE)
    if tree.succeeds('a host in C compiles with make', ['make', '-s', '-C', tree.folder, 'host'], env=tree.environment):
        tree.prints('a host in C that make built runs', [tree.folder + '/host'], tree.version + ' 45\n', env=searched)
    loading = tree.write('loading.c', SAMPLE_LOADED)
    if tree.succeeds('a host that loads the library compiles', ['cc', loading, '-o', host, *tree.flags('--cflags'), '-ldl']):
        tree.prints('a host that loads the library runs', [host, tree.path('lib/libgriddle.so')], tree.version + ' 45\n')
    for name, options in {'without exceptions and run-time types': ['-fno-exceptions', '-fno-rtti'],
                          'in the debug mode of the C++ library': ['-D_GLIBCXX_DEBUG', '-O0', '-g'],
                          'with all warnings': ['-Wall', '-Wextra', '-Werror', '-Wpedantic', '-Wshadow']}.items():
        if tree.succeeds(f'a host compiles {name}', [*tree.compiler, '-std=c++20', *options, source, '-o', host, *tree.flags('--cflags', '--libs')]):
            tree.prints(f'a host {name} runs', [host], wanted, env=searched)


def check_examples(tree):
    """The examples of hosts as their readers would compile them, and in the debug mode of the C++ library, whose containers are others."""
    host = tree.folder + '/example'
    searched = {**os.environ, 'LD_LIBRARY_PATH': os.path.dirname(tree.path('lib/libgriddle.so'))}
    for path in sorted(glob.glob(os.path.join(ROOT, 'examples', 'embedding', '*.cc'))):
        name = os.path.basename(path)
        with open(path, encoding='utf8') as file:
            text = file.read()
        source = tree.write(name, text.replace('"runtime/api/griddle.hpp"', '<griddle/griddle.hpp>'))
        options = ['-std=c++20', '-O0', '-D_GLIBCXX_DEBUG', '-D_GLIBCXX_DEBUG_PEDANTIC', '-Wall', '-Wextra', '-Werror', '-pthread']
        if tree.succeeds(f'{name} compiles in debug mode', [*tree.compiler, *options, source, '-o', host, *tree.flags('--cflags', '--libs')]):
            done = subprocess.run([host], input=marked(text, 'input'), capture_output=True, text=True, encoding='utf8', env=searched)
            tree.report.check((done.returncode, done.stdout) == (0, marked(text, 'output')), f'installed: {name} runs in debug mode', done.stdout + done.stderr)


def check_wheel(report, build):
    """The Python package as a wheel: what it unpacks to can be imported, and every file of it is listed."""
    package = os.path.join(build, 'runtime', 'python', 'griddle')
    python = python_for(package)
    with tempfile.TemporaryDirectory() as folder:
        status, name = run_command([sys.executable, os.path.join(ROOT, 'runtime', 'python', 'backend.py'), 'wheel', build, folder])
        if not report.check(status == 0 and python, 'wheel: it is packed', name):
            return
        with zipfile.ZipFile(os.path.join(folder, name.strip())) as wheel:
            wheel.extractall(folder + '/unpacked')
            listed = [name for name in wheel.namelist() if name.endswith('RECORD')]
            record = wheel.read(listed[0]).decode()
            report.check(sorted(line.split(',')[0] for line in record.splitlines()) == sorted(wheel.namelist()), 'wheel: all files are listed', record)
        status, text = run_command([python, '-c', 'import griddle; print(griddle.eval("+´↕10"), griddle.__file__)'],
                                   env={**os.environ, 'PYTHONPATH': folder + '/unpacked'})
        report.check(text.startswith('45 ' + folder), 'wheel: it is imported', text)


def check_subproject(report, source):
    """A meson project that is built for debugging takes the tree as a subproject: the library is optimised, without assertions, and whole.

    Compiling it all would take minutes, and no compiler cache knows the paths. So the commands are looked at, and the host is compiled
    but not linked: the same objects, with the same options, are linked and run in the build that is tested.
    """
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + '/subprojects')
        os.symlink(ROOT, folder + '/subprojects/griddle')
        shutil.copy(source, folder + '/host.cc')
        with open(folder + '/meson.build', 'w', encoding='utf8') as file:
            file.write(SUBPROJECT_HOST)
        build = folder + '/build'
        status, text = run_command(['meson', 'setup', '--buildtype=debug', '-Dcpp_debugstl=true', '--force-fallback-for=griddle', '-Dgriddle:targets=native', '-Dgriddle:cuda=disabled', build, folder])
        if not report.check(status == 0, 'subproject: a host is configured', text[-3000:]):
            return
        with open(build + '/compile_commands.json', encoding='utf8') as file:
            commands = {entry['output']: entry['command'].split() for entry in json.load(file)}
        library = {output: words for output, words in commands.items() if not output.startswith('host.p')}
        strange = [output for output, words in library.items()
                   if '-DNDEBUG' not in words or not {'-O2', '-O3', '-Os'} & set(words) or {'-O0', '-g', '-D_GLIBCXX_DEBUG=1'} & set(words)]
        report.check(len(library) > 20 and not strange, 'subproject: the library is optimised and has no assertions', f'{len(library)}, of which {strange}')
        report.check(any('-O3' in words for output, words in library.items() if 'libkernels.a' in output), 'subproject: kernels are compiled by -O3')
        own = [words for output, words in commands.items() if output.startswith('host.p')]
        report.check(own and all({'-O0', '-g', '-D_GLIBCXX_DEBUG=1'} <= set(words) for words in own), 'subproject: the host is compiled as it wants', repr(own))
        with open(build + '/build.ninja', encoding='utf8') as file:
            rules = file.read()
        archive = re.search(r'^build subprojects/griddle/libgriddle\.a: .*\n(?: .*\n)*? LINK_ARGS = (\w+)$', rules, re.M)
        report.check(archive and 'T' not in archive.group(1), 'subproject: the archive holds its objects', repr(archive and archive.group(0)[-200:]))
        status, text = run_command(['ninja', '-C', build, 'host.p/host.cc.o'])
        report.check(status == 0, 'subproject: a host compiles', text[-3000:])


def run(build, report):
    os.environ.pop('GRIDDLE_CUDA_PLUGIN', None)
    with open(os.path.join(ROOT, 'examples', 'embed.cc'), encoding='utf8') as file:
        text = file.read()
    wanted = marked(text, 'output')
    check_subproject(report, os.path.join(ROOT, 'examples', 'embed.cc'))
    check_wheel(report, build)
    with tempfile.TemporaryDirectory() as folder:
        tree = Installed(build, folder, report)
        if not tree.works:
            return
        source = tree.write('embed.cc', text.replace('"runtime/api/griddle.hpp"', '<griddle/griddle.hpp>'))
        check_executable(tree)
        check_pages(tree)
        check_exports(tree)
        check_pkg_config(tree, source, wanted)
        check_cmake(tree, source, wanted)
        check_other_hosts(tree, source, wanted)
        check_examples(tree)


def main():
    report = Report()
    run(os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(ROOT, 'build'), report)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
