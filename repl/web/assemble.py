#!/usr/bin/env python3
"""Makes the folder of the page:  assemble.py PAGE-SOURCES BUILT OUTPUT STAMP

BUILT is the path of griddle.js, with griddle.wasm beside it. The worker's source becomes a text of a script, since a page that is a
file of the machine may load scripts, but neither workers nor anything else; for the same reason the module comes in base64 as well.
"""
import base64
import json
import os
import shutil
import sys


def main():
    sources, built, output, stamp = sys.argv[1:]
    os.makedirs(output, exist_ok=True)
    for name in sorted(os.listdir(sources)):
        if name != 'worker.js':
            shutil.copyfile(os.path.join(sources, name), os.path.join(output, name))
    module = built.removesuffix('.js') + '.wasm'
    shutil.copyfile(module, os.path.join(output, 'griddle.wasm'))
    with open(built, encoding='utf8') as glue, open(os.path.join(sources, 'worker.js'), encoding='utf8') as worker:
        source = glue.read() + '\n' + worker.read()
    with open(os.path.join(output, 'worker_source.js'), 'w', encoding='utf8') as file:
        file.write(f'const griddleWorkerSource = {json.dumps(source)};\n')
    with open(module, 'rb') as binary, open(os.path.join(output, 'griddle_wasm.js'), 'w', encoding='utf8') as file:
        file.write(f"const griddleWasm = '{base64.b64encode(binary.read()).decode()}';\n")
    with open(stamp, 'w', encoding='utf8') as file:
        file.write('')


if __name__ == '__main__':
    main()
