/*
 * The public SDKs of the described system, unchanged, and grpcurl, against the second generation of the API. See README.md.
 * ONLY runs the parts whose name matches it.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { chromiumProgram } from '../../test/browser/chromium.ts';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial, until } from './machine.mjs';
import { compareReflection } from './sdks/reflection.mjs';

const { ONLY = '' } = process.env;
/** The word of that system's clients. */
const WORD = 'zitadel';
const PYTHON = `${WORD}-client==4.1.8`;
const NODE = [`@${WORD}/client@1.3.1`, `@${WORD}/proto@1.3.1`];
const GO = `github.com/${WORD}/${WORD}-go/v3@v3.29.4`;
const GRPCURL = 'github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4';
const SCRIPTS = new URL('./sdks/', import.meta.url).pathname;
const ENOUGH = 40;
const ENOUGH_IN_A_PAGE = 10;
const INSTALL_MS = 600_000;

const PARTS = { python: inPython, node: inNode, page: inPage, go: inGo, grpcurl: byReflection };
const TOOLS = { python: ['python3'], node: ['npm'], page: ['npm'], go: ['go'], grpcurl: ['go'] };
/** The folder with the packages of Node, once they are there. */
let prepared;

await trial(async (machine) => {
  const server = await machine.startPostgres('server', machine.port());
  await inDatabase(maintenanceUrl(server.url), 'CREATE DATABASE gatehouse');
  const service = await machine.startService(machine.port(), { DATABASE_URL: server.url, URN_WORD: WORD });
  for (const [name, part] of Object.entries(PARTS)) {
    if (!new RegExp(ONLY).test(name)) continue;
    const missing = TOOLS[name].find((tool) => !isHere(tool));
    if (missing) console.log(`  skipped  ${name}: it needs ${missing}, which is not on the PATH`);
    else await part(machine, service);
  }
});

async function inPython(machine, { origin, token }) {
  const { folder, install, use } = place(machine, 'python');
  install('python3', ['-m', 'venv', 'env']);
  install(join(folder, 'env/bin/pip'), ['install', '--quiet', '--disable-pip-version-check', PYTHON]);
  const env = { ORIGIN: origin, TOKEN: token, PYTHONWARNINGS: 'ignore' };
  judge('Python, Connect in JSON', await use(join(folder, 'env/bin/python'), ['calls.py'], env), ENOUGH);
}

async function inNode(machine, { origin, token }) {
  const { use } = nodePlace(machine);
  judge('Node, gRPC', await use(process.execPath, ['node.mjs'], { ORIGIN: origin, TOKEN: token }), ENOUGH);
}

async function inPage(machine, { origin, token }) {
  const { folder } = nodePlace(machine);
  await build({ entryPoints: [join(folder, 'browser.mjs')], outfile: join(folder, 'page.js'), bundle: true });
  const script = readFileSync(join(folder, 'page.js'));
  const pages = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><script src="/page.js"></script>');
  }).listen(machine.port(), '127.0.0.1');
  await once(pages, 'listening');
  const browser = await chromium.launch(await chromiumProgram());
  try {
    const page = await browser.newPage();
    const lines = [];
    page.on('console', (message) => lines.push(message.text()));
    const where = new URLSearchParams({ origin, token });
    await page.goto(`http://127.0.0.1:${pages.address().port}/#${where}`);
    await until(
      () => lines.includes('end'),
      () => `the page to end:\n${lines.join('\n')}`,
    );
    judge('a page of another origin in Chromium, gRPC-web', lines.join('\n'), ENOUGH_IN_A_PAGE);
  } finally {
    await browser.close();
    pages.close();
  }
}

async function inGo(machine, { origin, token }) {
  const { folder, install, use } = place(machine, 'go');
  install('go', ['mod', 'init', 'trial']);
  install('go', ['get', GO]);
  install('go', ['get', '.']);
  install('go', ['build', '-o', 'calls', '.']);
  const { hostname, port } = new URL(origin);
  const env = { DOMAIN: hostname, PORT: port, TOKEN: token };
  judge('Go, gRPC', await use(join(folder, 'calls'), [], env), ENOUGH);
}

async function byReflection(machine, { origin }) {
  const folder = join(machine.folder, 'grpcurl');
  mkdirSync(folder);
  const env = { ...process.env, GOBIN: folder };
  execFileSync('go', ['install', GRPCURL], { stdio: 'ignore', timeout: INSTALL_MS, env });
  const document = await (await fetch(`${origin}/docs-json`)).json();
  const ask = (...args) =>
    machine.execute(join(folder, 'grpcurl'), ['-plaintext', new URL(origin).host, ...args], folder);
  const { services, methods, messages, problems } = await compareReflection(ask, document);
  for (const problem of problems) console.error(problem);
  promise(
    problems.length === 0,
    `grpcurl describes ${services} services, ${methods} methods and their ${messages} messages: those of openapi.json`,
  );
}

/** Which operations were called, each answering what it should. */
function judge(where, text, enough) {
  const lines = text.split('\n').filter((line) => line.startsWith('ok '));
  const operations = new Set(lines.map((line) => line.split(' ')[1])).size;
  const refusals = lines.filter((line) => line.trim().split(' ').length === 3).length;
  const isWell = !/^(FAILED|Traceback|Error)/m.test(text) && operations >= enough && refusals >= 2;
  if (!isWell) console.error(text);
  promise(
    isWell,
    `${where}: ${lines.length} calls of ${operations} operations, ${refusals} of them refused by the right code`,
  );
}

/** A folder of the trial with the scripts of one language. */
function place(machine, language) {
  const folder = join(machine.folder, language);
  cpSync(join(SCRIPTS, language), folder, { recursive: true });
  return {
    folder,
    install: (program, args) => execFileSync(program, args, { cwd: folder, stdio: 'pipe', timeout: INSTALL_MS }),
    use: (program, args, env) =>
      machine.execute(program, args, folder, env).catch(({ message }) => `Error: ${message}`),
  };
}

/** The same for Node and for the page, which have one package. */
function nodePlace(machine) {
  if (prepared) return prepared;
  prepared = place(machine, 'node');
  prepared.install('npm', ['init', '--yes']);
  prepared.install('npm', ['install', '--no-audit', '--no-fund', ...NODE]);
  return prepared;
}

function isHere(tool) {
  try {
    execFileSync('sh', ['-c', `command -v ${tool}`]);
    return true;
  } catch {
    return false;
  }
}
