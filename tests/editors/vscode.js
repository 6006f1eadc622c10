// Runs the extension for VS Code with something that has the parts of VS Code that it uses, and prints what happened as JSON.
'use strict';

const Module = require('module');
const [, , extension, bqn] = process.argv;

class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range {
  constructor(a, b, c, d) {
    [this.start, this.end] = a instanceof Position ? [a, b] : [new Position(a, b), new Position(c, d)];
  }
}
const record = (...names) => class { constructor(...values) { names.forEach((name, i) => (this[name] = values[i])); } };
const handlers = {}, providers = {}, found = { warnings: [] };
const on = (name) => (f) => ((handlers[name] = handlers[name] || []).push(f), { dispose() {} });
const fire = (name, event) => Promise.all((handlers[name] || []).map((f) => f(event)));
const configuration = { command: [bqn, '--lsp'], glyphKeys: true };
let tellErrors;
const vscode = {
  Position, Range,
  Uri: { parse: (text) => ({ text, toString: () => text }) },
  Location: record('uri', 'range'), Hover: record('contents', 'range'), MarkdownString: record('value'), CompletionItem: record('label', 'kind'),
  DocumentHighlight: record('range', 'kind'), DocumentSymbol: record('name', 'detail', 'kind', 'range', 'selectionRange'), TextEdit: record('range', 'newText'),
  Diagnostic: record('range', 'message', 'severity'), SemanticTokens: record('data'), SemanticTokensLegend: record('types', 'modifiers'),
  WorkspaceEdit: class { constructor() { this.edits = []; } set(uri, list) { this.edits.push([String(uri), list]); } },
  window: { activeTextEditor: null, showWarningMessage: (text) => found.warnings.push(text) },
  workspace: {
    textDocuments: [], getConfiguration: () => ({ get: (name) => configuration[name] }),
    onDidOpenTextDocument: on('open'), onDidChangeTextDocument: on('change'), onDidCloseTextDocument: on('close'),
  },
  languages: new Proxy({ createDiagnosticCollection: () => ({ set: (uri, list) => tellErrors(list), dispose() {} }) }, {
    get: (known, name) => known[name] || ((chosen, provider) => ((providers[name] = provider), { dispose() {} })),
  }),
};
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));

const document = {
  uri: vscode.Uri.parse('file:///a.bqn'), languageId: 'bqn', version: 1, text: 'Mean←+´÷≠\n"𝕩"∾Mean 1‿2\nx←1 2',
  getText(range) {
    if (!range) return this.text;
    return this.text.split('\n')[range.start.line].slice(range.start.character, range.end.character);
  },
};
const token = { onCancellationRequested() {} };
const nextErrors = () => new Promise((take) => (tellErrors = take));

async function type(line, character, text) {
  const lines = document.text.split('\n');
  lines[line] = lines[line].slice(0, character) + text + lines[line].slice(character);
  document.text = lines.join('\n');
  const p = new Position(line, character);
  await fire('change', { document, contentChanges: [{ range: new Range(p, p), rangeLength: 0, text }] });
}

async function main() {
  const context = { subscriptions: [] };
  const { activate, deactivate } = require(extension);
  vscode.workspace.textDocuments.push(document);
  let errors = nextErrors();
  await activate(context);
  found.errors = await errors;
  const p = new Position(1, 6);
  found.hover = (await providers.registerHoverProvider.provideHover(document, new Position(0, 5), token)).contents.value;
  found.completion = (await providers.registerCompletionItemProvider.provideCompletionItems(document, new Position(1, 7), token)).map((i) => [i.label, i.kind]);
  found.definition = (await providers.registerDefinitionProvider.provideDefinition(document, p, token)).range.start;
  found.references = (await providers.registerReferenceProvider.provideReferences(document, p, { includeDeclaration: true }, token)).length;
  found.highlights = (await providers.registerDocumentHighlightProvider.provideDocumentHighlights(document, p, token)).map((h) => h.kind);
  found.prepared = (await providers.registerRenameProvider.prepareRename(document, p, token)).placeholder;
  found.renamed = (await providers.registerRenameProvider.provideRenameEdits(document, p, 'average', token)).edits[0][1].map((e) => e.newText);
  found.refused = await providers.registerRenameProvider.provideRenameEdits(document, p, '1', token).catch((problem) => problem.message);
  found.formatted = await providers.registerDocumentFormattingEditProvider.provideDocumentFormattingEdits(document, {}, token);
  found.symbols = (await providers.registerDocumentSymbolProvider.provideDocumentSymbols(document, token)).map((s) => [s.name, s.kind]);
  found.colours = (await providers.registerDocumentSemanticTokensProvider.provideDocumentSemanticTokens(document, token)).data.length % 5;
  errors = nextErrors();
  await type(2, 3, '‿');
  found.mended = await errors;
  const edits = [];
  vscode.window.activeTextEditor = { document, edit: async (f) => f({ replace: (range, text) => edits.push([range, text]) }) };
  await type(2, 0, '\\');
  await type(2, 1, 'q');
  found.typed = [...edits];
  await type(2, 2, 'q');
  found.typedOnce = edits.length;
  // The editor closes a bracket at once, in one change.
  await type(0, 0, '\\');
  await type(0, 1, '[]');
  found.typedBracket = edits.slice(1);
  await deactivate();
  await new Promise((take) => setTimeout(take, 50));
  console.log(JSON.stringify(found));
}

main();
