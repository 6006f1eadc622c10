"""System calls that fail, each in turn, for fault_tests.py; strace has them do so."""
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

AT_ONCE = 2
# What fails: a call, and why.
FAILING = {'openat': 'EIO', 'read': 'EIO', 'write': 'EIO', 'mmap': 'ENOMEM', 'munmap': 'ENOMEM', 'mprotect': 'ENOMEM', 'newfstatat': 'EIO', 'fstat': 'EIO', 'getrandom': 'EIO', 'clone3': 'EAGAIN',
           'clone': 'EAGAIN', 'vfork': 'EAGAIN', 'pipe2': 'EMFILE', 'rename': 'EIO', 'unlink': 'EIO', 'ftruncate': 'EIO', 'lseek': 'EIO', 'poll': 'ENOMEM', 'ppoll': 'ENOMEM', 'getdents64': 'EIO',
           'ioctl': 'EIO', 'readlink': 'EIO', 'getcwd': 'EIO', 'fcntl': 'EIO', 'futex': 'EINTR', 'rt_sigaction': 'EINVAL', 'rt_sigprocmask': 'EINVAL', 'sysinfo': 'EIO', 'prlimit64': 'EPERM',
           'sched_getaffinity': 'EINVAL', 'mremap': 'ENOMEM', 'madvise': 'ENOMEM', 'brk': 'ENOMEM', 'wait4': 'EINTR', 'clock_nanosleep': 'EINTR', 'pread64': 'EIO', 'mkdir': 'EIO', 'access': 'EIO'}
PROGRAMS = ['•Show +´↕10⋄•Out"hi"', 'p←"FOLDER/c"•FLines"a"‿"b"⋄•Show •FLines p⋄•Out •FChars p⋄"FOLDER/d"•file.Copy p⋄•file.Remove"FOLDER/d"', '•Show •SH⟨"echo","a"⟩⋄•Show{stdin⇐"x"}•SH⟨"cat"⟩',
            '•Show •Import"FOLDER/imported.bqn"⋄•Show •file.List"FOLDER"', '•Show +´@-˜•file.MapBytes"FOLDER/imported.bqn"⋄•Show •rand.Range⎊0 1', '"FOLDER/v"•file.Value 1‿"a"⋄•Show •file.Value"FOLDER/v"⋄"FOLDER/w"•file.Rename"FOLDER/v"⋄•file.Remove"FOLDER/w"',
            '•Show •BQN"1+1"⋄•Show 0<•Delay 0.01⋄•Show 5000000<≠↕6000000', 'o←"change"•file.Open"FOLDER/o"⋄o.Write"abc"⋄o.Seek 1⋄•Show o.Read ∞⋄•file.CreateDir"FOLDER/z"⋄•file.RemoveDir"FOLDER/z"']
# The first call that is our own: what is before it, the loader makes.
OURS = 'fcntl(0, F_GETFD)'


def check(f):
    if not shutil.which('strace'):
        return f.leave_out('system calls that fail', 'no strace')
    probe = subprocess.run(['strace', '-f', '-o', '/dev/null', 'true'], capture_output=True, text=True)
    if probe.returncode:
        return f.leave_out('system calls that fail', probe.stderr.strip())
    tasks = [task for number, program in enumerate(PROGRAMS) for task in places(f, number, program)]
    if not f.long:
        tasks = f.random.sample(tasks, min(len(tasks), 240))

    def fails(task):
        program, call, place, output = task
        try:
            done = strace(f, program, ['-e', f'trace={call}', '-e', f'inject={call}:error={FAILING[call]}:when={place}'], '/dev/null')
        except subprocess.TimeoutExpired:
            return False, f'{FAILING[call]} of {call} {place}: still running'
        # Calls fail in programs that are started, too. A message may be what could not be written.
        good = done.returncode == 0 and (done.stdout == output or '•SH' in program) or done.returncode == 1 and (done.stderr or call == 'write')
        return good, f'{FAILING[call]} of {call} {place}: status {done.returncode}\n{done.stdout[-500:]}{done.stderr[-1500:]}'
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for task, (good, detail) in zip(tasks, pool.map(fails, tasks)):
            f.report.check(good, f'faults: a system call that fails in {task[0]}', detail)
    print(f'     {len(tasks)} system calls that fail', flush=True)
    return None


def strace(f, program, options, log):
    with tempfile.TemporaryDirectory(dir=f.folder) as folder:
        with open(f'{folder}/imported.bqn', 'w', encoding='utf8') as file:
            file.write('"abc"\n')
        return f.run(program.replace('FOLDER', folder), before=['strace', '-f', '--quiet=all', '--signal=none', '--seccomp-bpf', '-o', log, *options])


def places(f, number, program):
    """Lists the calls of a program: (program, call, which, its output)."""
    log = f.path(f'log{number}')
    done = strace(f, program, ['-e', 'trace=' + ','.join(FAILING)], log)
    if done.returncode != 0:
        f.report.fail(f'faults: {program}', done.stderr)
        return
    with open(log, encoding='utf8', errors='replace') as lines:
        text = lines.read()
    counts, ours = {}, {}
    begun = False
    first = text.split(' ', 1)[0]
    for line in text.split('\n'):
        found = re.match(r'(\d+) +(\w+)\(', line)
        if not found:
            continue
        if OURS in line:
            begun = True
        thread, call = found.groups()
        counts.setdefault(call, {}).setdefault(thread, 0)
        counts[call][thread] += 1
        if not begun:
            ours[call] = counts[call][first]
    for call, threads in counts.items():
        # strace counts for each thread; the first one's calls that the loader makes are left alone.
        for place in range(ours.get(call, 0) + 1, max(threads.values()) + 1):
            yield program, call, place, done.stdout
