// What the buttons of the page do, and how a program travels in its address.
'use strict';

const element = (id) => document.getElementById(id);
const editor = new Editor(element('source'), element('colours'), element('problems'), element('help'));
const runner = new InterpreterWorker(show);

function show(text, isError = false) {
  const last = element('output').lastElementChild;
  const wanted = isError ? 'error' : 'text';
  if (last?.className === wanted) return last.append(text);
  const part = document.createElement('pre');
  part.className = wanted;
  part.textContent = text;
  element('output').append(part);
}

// A picture is an image, in which no script of a program that somebody shares can run.
function showPicture(picture) {
  const image = document.createElement('img');
  image.alt = 'plot';
  image.src = picture.startsWith('data:') ? picture : `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  element('output').append(image);
}

async function run() {
  if (!element('stop').disabled) return;
  element('output').replaceChildren();
  element('run').disabled = true;
  element('stop').disabled = false;
  element('state').textContent = 'Running…';
  const began = performance.now();
  const result = await runner.ask('evaluate', editor.text, element('input').value);
  if (result.stopped !== undefined) show(`${result.stopped}\n`, true);
  if (result.error !== undefined) show(result.error, true);
  if (result.exit !== undefined && result.exit !== 0) show(`Exit status ${result.exit}\n`, true);
  if (result.picture !== undefined) showPicture(result.picture);
  else if (result.value !== undefined) show(`${result.value}\n`);
  element('run').disabled = false;
  element('stop').disabled = true;
  element('state').textContent = `${Math.round(performance.now() - began)} ms`;
}

function stop() {
  if (!element('stop').disabled) runner.end();
}

// --- sharing: the program as base64 of what deflate makes of it, behind the # of the address, which no server sees
async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
async function packed(text) {
  const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), bytes));
}
async function share() {
  location.hash = `code=${await packed(editor.text)}`;
  element('state').textContent = 'The address of this page now holds the program';
  await navigator.clipboard?.writeText(location.href).catch(() => {});
}
async function restore() {
  const code = /^#code=(.*)$/.exec(location.hash)?.[1];
  if (code === undefined) return false;
  try {
    const text = await unpacked(code);
    if (text !== editor.text) editor.text = text;
    return true;
  } catch {
    element('state').textContent = 'The address of this page holds no program that can be read';
    return false;
  }
}

// --- the bar of glyphs
async function fillGlyphs() {
  const glyphs = await runner.ask('glyphs');
  editor.keys = new Map(glyphs.map(({ glyph, key }) => [key, glyph]));
  for (const { glyph, key, line } of glyphs) {
    const button = document.createElement('button');
    button.textContent = glyph;
    button.title = line === '' ? `\\${key}` : line;
    // Without taking the cursor out of the text.
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', () => editor.insert(glyph));
    element('glyphs').append(button);
  }
}

async function begin() {
  element('run').addEventListener('click', run);
  element('stop').addEventListener('click', stop);
  element('share').addEventListener('click', share);
  addEventListener('hashchange', restore);
  addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    } else if (event.key === 'Escape') {
      stop();
    }
  });
  for (const name of Object.keys(griddleExamples)) element('examples').append(new Option(name, name));
  element('examples').addEventListener('change', ({ target }) => {
    if (target.value !== '') editor.text = griddleExamples[target.value];
  });
  if (!(await restore())) editor.text = Object.values(griddleExamples)[0];
  try {
    await griddleModule;
    element('version').textContent = await runner.ask('version');
    await fillGlyphs();
    element('state').textContent = 'Ready';
  } catch (error) {
    element('state').textContent = `The interpreter could not be loaded: ${error.message}`;
  }
}

const begun = begin();
