// The WebAssembly build under node: what `bqn` does with -e, -p or a file. GRIDDLE_WEB_BUILD names the folder of griddle.js.
'use strict';
const fs = require('fs');
const path = require('path');

const build = process.env.GRIDDLE_WEB_BUILD ?? path.join(__dirname, '..', '..', 'build', 'web', 'repl', 'web');
const Griddle = require(path.join(build, 'griddle.js'));

// Output goes out in pieces, in order, before the process ends.
const pieces = [[], []];
function flush() {
  for (const fd of [0, 1])
    for (const bytes of pieces[fd].splice(0)) {
      for (let at = 0; at < bytes.length;) {
        try {
          at += fs.writeSync(fd + 1, bytes, at);
        } catch (error) {
          if (error.code !== 'EAGAIN') throw error;
        }
      }
    }
}

let input;
function readLine() {
  input ??= fs.readFileSync(0, 'utf8').split('\n').reverse();
  if (input.length === 1 && input[0] === '') return null;
  return input.pop() ?? null;
}

// The files of this machine are those of the interpreter.
function mountFiles(griddle) {
  const { FS } = griddle;
  for (const name of fs.readdirSync('/')) {
    const folder = `/${name}`;
    if (['proc', 'dev', 'sys'].includes(name) || !fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) continue;
    if (!FS.analyzePath(folder).exists) FS.mkdir(folder);
    FS.mount(griddle.NODEFS, { root: folder }, folder);
  }
  FS.chdir(process.cwd());
}

function outcomeOf(griddle, [option, code, ...rest]) {
  const call = (name, ...texts) => JSON.parse(griddle.ccall(`griddle_page_${name}`, 'string', texts.map(() => 'string'), texts));
  if (option === '-e' || option === '-p') return call('evaluate', code, `(${option})`);
  return call('run_file', option, JSON.stringify(code === undefined ? [] : [code, ...rest]));
}

async function main() {
  const words = process.argv.slice(2);
  const binary = fs.readFileSync(path.join(build, 'griddle.wasm'));
  const griddle = await Griddle({
    griddle: { write: (isError, bytes) => { pieces[isError].push(bytes); }, readLine },
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(binary, imports).then(({ instance, module }) => receive(instance, module));
      return {};
    },
  });
  mountFiles(griddle);
  griddle._griddle_page_begin(512 * 1024);
  const outcome = outcomeOf(griddle, words);
  if (words[0] === '-p' && outcome.value !== undefined) pieces[0].push(Buffer.from(`${outcome.value}\n`));
  if (outcome.error !== undefined) pieces[1].push(Buffer.from(outcome.error));
  flush();
  process.exit(outcome.exit ?? (outcome.error === undefined ? 0 : 1));
}

main().catch((error) => {
  flush();
  console.error(error);
  process.exit(70);
});
