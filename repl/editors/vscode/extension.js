// BQN in VS Code: starts `bqn --lsp`, hands on what it says, and types glyphs by a backslash and a key.
'use strict';

const vscode = require('vscode');
const { Client } = require('./client.js');
const glyphOfKey = { ...require('./glyph_keys.json'), '\\': '\\' };
// What the editor writes where somebody types an opening bracket or quote.
const closed = new Set(require('./language-configuration.json').autoClosingPairs.map((pair) => pair.open + pair.close));

const chosen = { language: 'bqn' };
let client = null;
let isEnding = false;

const position = (p) => new vscode.Position(p.line, p.character);
const range = (r) => new vscode.Range(position(r.start), position(r.end));
const edit = (e) => new vscode.TextEdit(range(e.range), e.newText);
const place = (p) => ({ line: p.line, character: p.character });
const named = (document) => ({ textDocument: { uri: document.uri.toString() } });
const at = (document, p) => ({ ...named(document), position: place(p) });
const location = (l) => new vscode.Location(vscode.Uri.parse(l.uri), range(l.range));
const markdown = (text) => new vscode.MarkdownString(text);

function item(i) {
  // The protocol counts kinds from 1 on, and VS Code from 0 on.
  const made = new vscode.CompletionItem(i.label, i.kind - 1);
  made.detail = i.detail;
  made.filterText = i.filterText;
  made.insertText = i.textEdit.newText;
  made.range = range(i.textEdit.range);
  return made;
}

function symbol(s) {
  const made = new vscode.DocumentSymbol(s.name, '', s.kind - 1, range(s.range), range(s.selectionRange));
  made.children = (s.children || []).map(symbol);
  return made;
}

// What VS Code asks, each with what the server is asked for it.
function providers(legend) {
  const ask = (method, parameters, token) => client.ask(`textDocument/${method}`, parameters, token);
  const languages = vscode.languages;
  return [
    languages.registerHoverProvider(chosen, {
      provideHover: async (d, p, t) => {
        const found = await ask('hover', at(d, p), t);
        return found && new vscode.Hover(markdown(found.contents.value), range(found.range));
      },
    }),
    languages.registerCompletionItemProvider(
      chosen,
      { provideCompletionItems: async (d, p, t) => (await ask('completion', at(d, p), t)).map(item) },
      '\\', '.', '•'
    ),
    languages.registerDefinitionProvider(chosen, {
      provideDefinition: async (d, p, t) => {
        const found = await ask('definition', at(d, p), t);
        return found && location(found);
      },
    }),
    languages.registerReferenceProvider(chosen, {
      provideReferences: async (d, p, context, t) => ((await ask('references', { ...at(d, p), context }, t)) || []).map(location),
    }),
    languages.registerDocumentHighlightProvider(chosen, {
      provideDocumentHighlights: async (d, p, t) =>
        ((await ask('documentHighlight', at(d, p), t)) || []).map((h) => new vscode.DocumentHighlight(range(h.range), h.kind - 1)),
    }),
    languages.registerRenameProvider(chosen, {
      prepareRename: async (d, p, t) => {
        const found = await ask('prepareRename', at(d, p), t);
        return { range: range(found.range), placeholder: found.placeholder };
      },
      provideRenameEdits: async (d, p, newName, t) => {
        const found = await ask('rename', { ...at(d, p), newName }, t);
        const edits = new vscode.WorkspaceEdit();
        for (const [uri, list] of Object.entries(found.changes)) edits.set(vscode.Uri.parse(uri), list.map(edit));
        return edits;
      },
    }),
    languages.registerDocumentFormattingEditProvider(chosen, {
      provideDocumentFormattingEdits: async (d, options, t) => (await ask('formatting', { ...named(d), options }, t)).map(edit),
    }),
    languages.registerDocumentSymbolProvider(chosen, {
      provideDocumentSymbols: async (d, t) => (await ask('documentSymbol', named(d), t)).map(symbol),
    }),
    languages.registerDocumentSemanticTokensProvider(
      chosen,
      {
        provideDocumentSemanticTokens: async (d, t) =>
          new vscode.SemanticTokens(new Uint32Array((await ask('semanticTokens/full', named(d), t)).data)),
      },
      new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers)
    ),
  ];
}

function open(document) {
  if (document.languageId !== 'bqn') return;
  client.tell('textDocument/didOpen', {
    textDocument: { uri: document.uri.toString(), languageId: 'bqn', version: document.version, text: document.getText() },
  });
}

function change(event) {
  if (event.document.languageId !== 'bqn') return;
  client.tell('textDocument/didChange', {
    textDocument: { uri: event.document.uri.toString(), version: event.document.version },
    contentChanges: event.contentChanges.map((c) => ({ range: { start: place(c.range.start), end: place(c.range.end) }, text: c.text })),
  });
}

// Replaces a backslash and the key that was typed behind it by a glyph. An edit is refused where more was typed meanwhile.
async function typeGlyph(event) {
  const editor = vscode.window.activeTextEditor;
  const [typed] = event.contentChanges;
  if (!editor || editor.document !== event.document || event.document.languageId !== 'bqn' || event.contentChanges.length !== 1) return;
  const isKey = typed.rangeLength === 0 && (typed.text.length === 1 || closed.has(typed.text));
  const glyph = isKey && glyphOfKey[typed.text[0]];
  const { line, character } = typed.range.start;
  if (!glyph || character === 0 || !vscode.workspace.getConfiguration('bqn').get('glyphKeys')) return;
  const both = new vscode.Range(line, character - 1, line, character + typed.text.length);
  for (let tries = 0; tries < 5 && event.document.getText(both) === '\\' + typed.text; tries++)
    if ((await editor.edit((builder) => builder.replace(both, glyph), { undoStopBefore: false, undoStopAfter: false })) !== false) return;
}

async function startServer(context) {
  const command = vscode.workspace.getConfiguration('bqn').get('command');
  if (!command || command.length === 0) return;
  const errors = vscode.languages.createDiagnosticCollection('bqn');
  const told = (method, parameters) => {
    if (method !== 'textDocument/publishDiagnostics') return;
    const made = parameters.diagnostics.map((d) => {
      const diagnostic = new vscode.Diagnostic(range(d.range), d.message, d.severity - 1);
      diagnostic.source = d.source;
      return diagnostic;
    });
    errors.set(vscode.Uri.parse(parameters.uri), made);
  };
  const ended = (why) => vscode.window.showWarningMessage(`${command.join(' ')}: ${why}. The setting bqn.command says what to start.`);
  client = new Client(command, told, (why) => !isEnding && ended(why));
  const start = await client.ask('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } },
  });
  client.tell('initialized', {});
  vscode.workspace.textDocuments.forEach(open);
  context.subscriptions.push(
    errors,
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument(change),
    vscode.workspace.onDidCloseTextDocument((d) => d.languageId === 'bqn' && client.tell('textDocument/didClose', named(d))),
    ...providers(start.capabilities.semanticTokensProvider.legend)
  );
}

async function activate(context) {
  context.subscriptions.push(vscode.workspace.onDidChangeTextDocument(typeGlyph));
  // Without a server there are colours and glyphs all the same.
  await startServer(context).catch(() => {});
}

async function deactivate() {
  isEnding = true;
  if (client && client.isRunning) await client.stop().catch(() => {});
}

module.exports = { activate, deactivate };
