// The editor: a field for text over a copy of it in colours. What the text means comes from the language server of Griddle, by the
// messages of the Language Server Protocol, in a worker of its own, so that it also answers while a program runs.
'use strict';

class Editor {
  constructor(field, colours, problems, help) {
    Object.assign(this, { field, colours, problems, help });
    this.server = new InterpreterWorker();
    this.version = 0;
    this.requests = 0;
    this.tokens = [];
    this.diagnostics = [];
    this.ready = this.open();
    field.addEventListener('input', () => this.changed());
    field.addEventListener('scroll', () => this.follow());
    field.addEventListener('keydown', (event) => this.typeGlyph(event));
    field.addEventListener('mousemove', (event) => this.hoverSoon(event));
    field.addEventListener('mouseleave', () => this.hideHelp());
  }

  get text() { return this.field.value; }
  set text(text) {
    this.field.value = text;
    this.changed();
  }

  // Types a glyph at the cursor, in the place of what is selected, as keys do.
  insert(text) {
    this.field.focus();
    if (!document.execCommand('insertText', false, text)) {
      this.field.setRangeText(text, this.field.selectionStart, this.field.selectionEnd, 'end');
      this.changed();
    }
  }

  // A backslash and a key type a glyph; a backslash twice types one.
  typeGlyph(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.key.length !== 1) return;
    if (this.hasBackslash) {
      this.hasBackslash = false;
      const glyph = event.key === '\\' ? '\\' : this.keys?.get(event.key);
      if (glyph === undefined) return;
      event.preventDefault();
      this.insert(glyph);
    } else if (event.key === '\\') {
      this.hasBackslash = true;
      event.preventDefault();
    }
  }

  async open() {
    const tell = (message) => this.server.ask('tell', { jsonrpc: '2.0', ...message });
    await tell({ id: this.requests++, method: 'initialize', params: { capabilities: {} } });
    await tell({ method: 'initialized', params: {} });
    await tell({ method: 'textDocument/didOpen', params: { textDocument: { uri: 'file:///program.bqn', languageId: 'bqn', version: 0, text: this.text } } });
    return tell;
  }

  // Tells the server the new text, and asks for its colours. What is typed meanwhile is asked about next.
  async changed() {
    this.draw();
    this.isStale = true;
    if (this.isAsking) return;
    this.isAsking = true;
    const tell = await this.ready;
    while (this.isStale) {
      this.isStale = false;
      const text = this.text;
      const textDocument = { uri: 'file:///program.bqn', version: ++this.version };
      this.take(await tell({ method: 'textDocument/didChange', params: { textDocument, contentChanges: [{ text }] } }));
      const id = this.requests++;
      const answers = await tell({ id, method: 'textDocument/semanticTokens/full', params: { textDocument } });
      const data = answers.find?.((message) => message.id === id)?.result?.data ?? [];
      if (text === this.text) this.colour(text, data);
    }
    this.isAsking = false;
  }

  take(messages) {
    for (const message of messages)
      if (message.method === 'textDocument/publishDiagnostics') this.diagnostics = message.params.diagnostics;
    this.problems.textContent = this.diagnostics.map((d) => `line ${d.range.start.line + 1}: ${d.message}`).join('\n');
  }

  // Makes pieces { start, end, name } of the five numbers that the protocol has for each token.
  colour(text, data) {
    const names = ['comment', 'number', 'string', 'variable', 'function', 'macro', 'decorator', 'property', 'parameter', 'operator', 'keyword'];
    const starts = [0];
    for (let i = 0; i < text.length; i++) if (text[i] === '\n') starts.push(i + 1);
    this.starts = starts;
    this.tokens = [];
    let line = 0, character = 0;
    for (let i = 0; i + 4 < data.length; i += 5) {
      if (data[i] > 0) character = 0;
      line += data[i];
      character += data[i + 1];
      const start = starts[line] + character;
      this.tokens.push({ start, end: start + data[i + 2], name: names[data[i + 3]], line, character });
    }
    this.coloured = text;
    this.draw();
  }

  draw() {
    const text = this.text, parts = [];
    // Until the new colours come, those of the part before the change still hold.
    let same = 0;
    while (same < text.length && text[same] === this.coloured?.[same]) same++;
    let at = 0;
    for (const token of this.tokens) {
      if (token.end > same && text !== this.coloured) break;
      parts.push(text.slice(at, token.start));
      const span = document.createElement('span');
      span.className = token.name;
      span.textContent = text.slice(token.start, token.end);
      if (text === this.coloured && this.hasProblem(token)) span.classList.add('problem');
      span.token = token;
      parts.push(span);
      at = token.end;
    }
    parts.push(text.slice(at) + '\n');
    this.colours.replaceChildren(...parts);
    this.follow();
  }

  hasProblem(token) {
    const place = ({ line, character }) => (this.starts[line] ?? Infinity) + character;
    return this.diagnostics.some(({ range }) => place(range.start) < token.end && token.start < Math.max(place(range.end), place(range.start) + 1));
  }

  follow() {
    this.colours.scrollTop = this.field.scrollTop;
    this.colours.scrollLeft = this.field.scrollLeft;
  }

  hoverSoon(event) {
    clearTimeout(this.hovering);
    const { clientX: x, clientY: y } = event;
    this.hovering = setTimeout(() => this.hover(x, y), 150);
  }

  async hover(x, y) {
    const holds = (box) => box.left <= x && x < box.right && box.top <= y && y < box.bottom;
    const span = [...this.colours.children].find((child) => [...child.getClientRects()].some(holds));
    if (span?.token === undefined) return this.hideHelp();
    const tell = await this.ready;
    const id = this.requests++;
    const { line, character } = span.token;
    const answers = await tell({ id, method: 'textDocument/hover', params: { textDocument: { uri: 'file:///program.bqn' }, position: { line, character } } });
    const markdown = answers.find?.((message) => message.id === id)?.result?.contents?.value;
    markdown === undefined ? this.hideHelp() : this.showHelp(markdown, x, y);
  }

  showHelp(markdown, x, y) {
    this.help.replaceChildren(...markdownNodes(markdown));
    this.help.hidden = false;
    const { width, height } = this.help.getBoundingClientRect();
    this.help.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - width - 8))}px`;
    this.help.style.top = `${y + 18 + height < innerHeight ? y + 18 : Math.max(4, y - height - 12)}px`;
  }

  hideHelp() {
    clearTimeout(this.hovering);
    this.help.hidden = true;
  }
}

// Draws the Markdown of explanations: paragraphs, headings, lists as they stand, code. It never reads it as HTML.
function markdownNodes(markdown) {
  const nodes = [];
  markdown.split(/^```/m).forEach((part, i) => {
    if (i % 2 === 1) {
      const code = document.createElement('pre');
      code.textContent = part.slice(part.indexOf('\n') + 1);
      nodes.push(code);
      return;
    }
    for (const paragraph of part.split(/\n{2,}/)) {
      if (paragraph.trim() === '') continue;
      const node = document.createElement('p');
      if (paragraph.startsWith('|')) node.style.whiteSpace = 'pre-line';
      paragraph.trim().replace(/^#+ /, '').split('`').forEach((piece, k) => {
        const inner = document.createElement(k % 2 === 1 ? 'code' : 'span');
        inner.textContent = piece;
        node.append(inner);
      });
      nodes.push(node);
    }
  });
  return nodes;
}
