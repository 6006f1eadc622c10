// Runs in a worker, behind the code that Emscripten makes (`Griddle`): answers { id, call, parts } by { id, result }.
'use strict';

const decoders = [new TextDecoder(), new TextDecoder()];
let lines = [];
// What programs write goes to the page now and then, not line by line.
let pending = '', pendingIsError = false, sentAt = 0;

function send() {
  if (pending !== '') postMessage({ text: pending, isError: pendingIsError });
  pending = '';
  sentAt = performance.now();
}

const console_ = {
  write(isError, bytes) {
    const text = decoders[isError].decode(bytes, { stream: true });
    if (pending !== '' && pendingIsError !== Boolean(isError)) send();
    pending += text;
    pendingIsError = Boolean(isError);
    if (pending.length > 65536 || performance.now() - sentAt > 50) send();
  },
  readLine: () => (lines.length > 0 ? lines.shift() : null),
};

let started;

function start(module) {
  started = Griddle({
    griddle: console_,
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(module, imports).then((instance) => receive(instance, module));
      return {};
    },
  }).then((griddle) => {
    // Workers of Chromium have half the stack of node, which does with twice as much.
    griddle._griddle_page_begin(288 * 1024);
    const call = (name, ...texts) => griddle.ccall(`griddle_page_${name}`, 'string', texts.map(() => 'string'), texts);
    return {
      evaluate(source, input) {
        lines = input === '' ? [] : input.replace(/\n$/, '').split('\n');
        return JSON.parse(call('evaluate', source, '(program)'));
      },
      enter: (source) => JSON.parse(call('enter', source)),
      tell: (message) => JSON.parse(call('tell', JSON.stringify(message))),
      glyphs: () => JSON.parse(call('glyphs')),
      version: () => call('version'),
    };
  });
}

onmessage = async ({ data }) => {
  if (data.module !== undefined) return start(data.module);
  try {
    const functions = await started;
    const result = functions[data.call](...data.parts);
    send();
    postMessage({ id: data.id, result });
  } catch (error) {
    send();
    // The browser's stack or memory has ended where no program can catch it: the interpreter's state is lost.
    const isStack = error instanceof RangeError;
    postMessage({ id: data.id, result: { error: isStack ? 'Error: Stack overflow\n' : `Error: ${error}\n` }, broken: `${error}` });
  }
};
