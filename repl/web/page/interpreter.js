// An interpreter in a worker of its own: so the page never waits for a program, and a program that does not end can be stopped.
'use strict';

// Gives the compiled module of all workers. Pages of a server fetch it; where the page is a file of this machine, nothing may be
// fetched, and a script brings it.
const griddleModule = (async () => {
  if (location.protocol !== 'file:') return WebAssembly.compileStreaming(fetch('griddle.wasm'));
  await new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = 'griddle_wasm.js';
    script.onload = done;
    script.onerror = () => failed(new Error('griddle_wasm.js is missing'));
    document.head.append(script);
  });
  return WebAssembly.compile(Uint8Array.from(atob(griddleWasm), (c) => c.charCodeAt(0)));
})();

class InterpreterWorker {
  // `onText(text, isError)` gets what programs write.
  constructor(onText = () => {}) {
    this.onText = onText;
    this.begin();
  }

  begin() {
    this.waiting = new Map();
    this.next = 0;
    const url = URL.createObjectURL(new Blob([griddleWorkerSource], { type: 'text/javascript' }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = ({ data }) => {
      if (data.text !== undefined) return this.onText(data.text, data.isError);
      const asked = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.broken) this.end(data.broken);
      asked?.done(data.result);
    };
    const { worker } = this;
    griddleModule.then((module) => worker.postMessage({ module }));
  }

  // Calls one of the functions of worker.js. Gives its result; { stopped: why } where the worker is ended before.
  ask(call, ...parts) {
    return new Promise((done) => {
      const id = this.next++;
      this.waiting.set(id, { done });
      griddleModule.then(() => this.worker.postMessage({ id, call, parts }), (error) => done({ stopped: `${error}` }));
    });
  }

  // Ends what runs. A new interpreter takes its place, which knows nothing of the old one.
  end(why = 'Stopped') {
    this.worker.terminate();
    const waiting = this.waiting;
    this.begin();
    for (const { done } of waiting.values()) done({ stopped: why });
  }
}
