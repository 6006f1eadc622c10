// A client of a language server: requests and notices over the streams of a child process. The usual library for that has to be
// installed with all that it needs; this is what it would be used for here.
'use strict';

const { spawn } = require('child_process');

class Client {
  // `told` gets the notices of the server: (method, parameters); `ended` why there is no server any more.
  constructor(command, told, ended) {
    this.told = told;
    this.waiting = new Map();
    this.lastId = 0;
    this.received = Buffer.alloc(0);
    this.isRunning = true;
    this.server = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] });
    this.server.stdout.on('data', (bytes) => this.receive(bytes));
    this.server.stdin.on('error', () => {});
    this.server.on('error', (problem) => this.end(problem.message, ended));
    this.server.on('exit', (status) => this.end(`the server has ended with status ${status}`, ended));
  }

  end(why, ended) {
    if (!this.isRunning) return;
    this.isRunning = false;
    for (const { refuse } of this.waiting.values()) refuse(new Error(why));
    this.waiting.clear();
    ended(why);
  }

  send(message) {
    if (!this.isRunning) return;
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.server.stdin.write(`Content-Length: ${bytes.length}\r\n\r\n`);
    this.server.stdin.write(bytes);
  }

  tell(method, params) {
    this.send({ method, params });
  }

  // Gives a promise of the result. `token`: what says that nobody waits for it any more.
  ask(method, params, token) {
    if (!this.isRunning) return Promise.reject(new Error('there is no server'));
    const id = ++this.lastId;
    this.send({ id, method, params });
    if (token) token.onCancellationRequested(() => this.tell('$/cancelRequest', { id }));
    return new Promise((take, refuse) => this.waiting.set(id, { take, refuse }));
  }

  receive(bytes) {
    this.received = Buffer.concat([this.received, bytes]);
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: *(\d+)/i.exec(this.received.subarray(0, end).toString())[1]);
      if (this.received.length < end + 4 + length) return;
      const message = JSON.parse(this.received.subarray(end + 4, end + 4 + length).toString());
      this.received = this.received.subarray(end + 4 + length);
      this.take(message);
    }
  }

  take(message) {
    if (message.method) return this.told(message.method, message.params);
    const request = this.waiting.get(message.id);
    if (!request) return;
    this.waiting.delete(message.id);
    if (message.error) request.refuse(new Error(message.error.message));
    else request.take(message.result);
  }

  // Ends the server as the protocol wants it.
  async stop() {
    await this.ask('shutdown', null);
    this.tell('exit', null);
  }
}

module.exports = { Client };
