/*
 * Takes the code out of the quick starts, runs it against a Gatehouse of its own, and uses it as a person does: with a browser, or with
 * curl. Prints a line for each; the exit code is 1 if one fails. See README.md.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchChromium } from '../../test/browser/chromium.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../..');
const FIRST_PORT = Number(process.env['FIRST_PORT'] ?? 21_200);
const WORK = mkdtempSync(join(tmpdir(), 'gatehouse-quick-starts-'));
const PERSON = { userName: 'ada', password: 'Analytical-Engine-1', name: 'Ada Lovelace' };
/** With Node 24 first: some tools refuse an older one. */
process.env['PATH'] = `${dirname(process.execPath)}:${process.env['PATH']}`;
const START_LIMIT_MS = 120_000;
const INSTALL_LIMIT_MS = 600_000;

/** The ports in the pages, each replaced by one of ours. */
const PORTS = ['3000', '5173', '3100', '8080', '8000', '4200'];
const portOf = (port) => String(FIRST_PORT + PORTS.indexOf(port));
const withOurPorts = (text) => text.replace(/\b(3000|5173|3100|8080|8000|4200)\b/g, portOf);
const SERVICE = `http://localhost:${portOf('3000')}`;

/** What each needs besides Node, and how it is used. */
const QUICK_STARTS = {
  browser: { opens: '5173' },
  react: { opens: '5173' },
  vue: { opens: '5173' },
  angular: { opens: '4200' },
  express: { opens: '3100' },
  nextjs: { opens: '3100' },
  django: { opens: '8000', needs: 'python3' },
  go: { opens: '8080', needs: 'go' },
  'spring-boot': { opens: '8080', needs: 'mvn' },
  'aspnet-core': { opens: '5100', needs: 'dotnet' },
  'command-line': { prints: /Open (http\S+)/ },
  device: { prints: /Open (http\S+)/, ends: 'The device is signed in' },
  'device-go': { prints: /Open (http\S+)/, ends: 'The device is signed in', needs: 'go' },
  mcp: { prints: /Open (http\S+)/ },
  'api-express': { serves: '8080' },
  'api-go': { serves: '8080', needs: 'go' },
  'api-python': { serves: '8080', needs: 'python3' },
  'api-spring': { serves: '8080', needs: 'mvn' },
};

/** The code blocks of a page: files by their paths, commands by what they are for. */
function read(name) {
  const text = withOurPorts(readFileSync(join(HERE, `${name}.md`), 'utf8'));
  const blocks = [...text.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)];
  const commands = Object.fromEntries(
    blocks.filter(([, kind]) => kind === 'sh').map(([, , what, code]) => [what, code]),
  );
  return { commands, files: blocks.filter(([, kind]) => kind !== 'sh').map(([, , path, code]) => ({ path, code })) };
}

const token = () => join(WORK, 'data', 'admin.pat');

/** Registers what a command of a page says, in a project of its own. */
function register(command, name) {
  const ours = command
    .replace('npx gatehouse', `${process.execPath} ${join(ROOT, 'dist/cli/main.js')}`)
    .replace('.data/admin.pat', token())
    .replace('--name Shop', `--name "Shop ${name}"`)
    .replace('--project Shop', `--project "Shop ${name}"`)
    .trim();
  return JSON.parse(execFileSync('sh', ['-c', `${ours} --json --url ${SERVICE}`], { encoding: 'utf8' }));
}

function start(command, folder) {
  const child = spawn('sh', ['-c', command], { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const started = { child, text: '', stop: () => stop(child) };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (started.text += chunk));
  return started;
}

/** With everything that it has started. */
function stop(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}

async function until(what, isSo, started) {
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${START_LIMIT_MS / 1000} s`);
    if (started && started.child.exitCode !== null) throw new Error(`${what}: it ended`);
    await sleep(200);
  }
}

const answers = (url) =>
  fetch(url, { redirect: 'manual' }).then(
    ({ status }) => status,
    () => undefined,
  );

/** Presses what there is to press, and fills in what our pages ask for, until the page shows the text. */
async function use(page, url, shows) {
  await page.goto(url);
  for (let step = 0; step < 40; step += 1) {
    await page.waitForLoadState('load').catch(() => undefined);
    const text = await page.textContent('body').catch(() => '');
    if (text?.includes(shows)) return;
    await press(page).catch(() => undefined); // the page may be leaving
    await sleep(500);
  }
  throw new Error(
    `The browser is at ${page.url()} and shows: ${(await page.textContent('body')).trim().slice(0, 300)}`,
  );
}

async function press(page) {
  const first = async (selector) =>
    (await page.locator(selector).count()) > 0 ? page.locator(selector).first() : null;
  const skip = await first('button[name="factor"][value="skip"]');
  if (skip) return skip.click();
  const password = await first('input[name="password"][type="password"]');
  const loginName = await first('input[name="loginName"]:not([type="hidden"])');
  if (password ?? loginName) {
    await (password ? password.fill(PERSON.password) : loginName.fill(`${PERSON.userName}@acme.localhost`));
    return page.click('#submit');
  }
  const submit = await first('input[name="user_code"], button[name="decision"][value="continue"]');
  if (submit) return page.click('#submit');
  const signIn = await first('button:has-text("Sign in"), a:has-text("Sign in")');
  return signIn?.click({ timeout: 2000 });
}

/** An access token of an application in the project of the page, as a caller of its API has one. */
async function accessToken(browser, name) {
  const redirectUri = 'http://localhost:9/callback';
  const { clientId, clientSecret } = register(
    `npx gatehouse register --token-file .data/admin.pat --name Caller --type web --jwt --project Shop --redirect-uri ${redirectUri}`,
    name,
  );
  const page = await browser.newPage();
  const arrived = new Promise((resolve) =>
    page.on('request', (request) => request.url().startsWith(redirectUri) && resolve(new URL(request.url()))),
  );
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
  });
  const used = use(page, `${SERVICE}/oauth/v2/authorize?${query}`, 'never shown').catch(() => undefined);
  const code = (await arrived).searchParams.get('code');
  await page.close();
  await used;
  const response = await fetch(`${SERVICE}/oauth/v2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
  });
  return (await response.json()).access_token;
}

async function checkApi(browser, name, url) {
  const bearer = await accessToken(browser, name);
  const ask = (headers) => fetch(url, { headers });
  const [without, forged] = [await ask({}), await ask({ Authorization: `Bearer ${bearer.slice(0, -3)}abc` })];
  if (without.status !== 401 || forged.status !== 401)
    throw new Error(`Without a valid token it answers ${without.status} and ${forged.status}, not 401`);
  const served = await ask({ Authorization: `Bearer ${bearer}` });
  if (served.status !== 200 || !Array.isArray((await served.json()).orders))
    throw new Error(`With a token it answers ${served.status}`);
}

async function verify(name, browser) {
  const {
    opens,
    serves,
    prints,
    needs,
    ends = 'Hello, you can close',
    shows = `Hello, ${PERSON.name}`,
  } = QUICK_STARTS[name];
  if (needs && spawnSync('sh', ['-c', `command -v ${needs}`]).status !== 0) return `skipped: there is no ${needs}`;
  const { commands, files } = read(name);
  const folder = join(WORK, name);
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length === 0)
    writeFileSync(join(folder, '.npmrc'), 'fund=false\naudit=false\nloglevel=error\n');
  const { projectId, clientId, clientSecret } = register(commands.register, name);
  const fill = (text) =>
    text
      .replaceAll('YOUR_CLIENT_ID', clientId)
      .replaceAll('YOUR_CLIENT_SECRET', clientSecret)
      .replaceAll('YOUR_PROJECT_ID', projectId);
  const write = () => {
    for (const { path, code } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), fill(code));
    }
  };
  const createsFolder = /\bnew\b/.test(commands.install); // a generator, which wants to write the files first
  if (!createsFolder) write();
  const installed = spawnSync('sh', ['-c', commands.install], {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_LIMIT_MS,
  });
  if (installed.status !== 0)
    throw new Error(`The installation failed: ${(installed.stderr || installed.stdout).slice(-600)}`);
  if (createsFolder) write();
  const started = start(fill(commands.run), folder);
  const context = await browser.newContext();
  try {
    if (prints) {
      await until('the address', () => prints.test(started.text), started);
      await use(await context.newPage(), prints.exec(started.text)[1], ends);
      await until('the greeting', () => started.text.includes(shows));
    } else {
      const url = `http://localhost:${portOf(opens ?? serves)}/${serves ? 'orders' : ''}`;
      await until(url, async () => (await answers(url)) !== undefined, started);
      if (serves) await checkApi(context, name, url);
      else await use(await context.newPage(), url, shows);
    }
  } catch (error) {
    throw new Error(`${error.message}\n${started.text.slice(-600)}`, { cause: error });
  } finally {
    await context.close();
    started.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return 'works';
}

async function addPerson() {
  const response = await fetch(`${SERVICE}/management/v1/users/human`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${readFileSync(token(), 'utf8').trim()}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      userName: PERSON.userName,
      profile: { firstName: 'Ada', lastName: 'Lovelace' },
      email: { email: 'ada@example.com', isEmailVerified: true },
      initialPassword: PERSON.password,
    }),
  });
  if (!response.ok) throw new Error(await response.text());
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(QUICK_STARTS);
const unknown = wanted.filter((name) => !Object.hasOwn(QUICK_STARTS, name));
if (unknown.length > 0)
  throw new Error(`Unknown: ${unknown.join(', ')}. There are: ${Object.keys(QUICK_STARTS).join(', ')}.`);
const env = `PORT=${portOf('3000')} DEMO_PORT=off LOGIN_LIMITS=off LOG_LEVEL=warn DATA_DIR=${join(WORK, 'data')}`;
const service = start(`${env} exec ${process.execPath} ${join(ROOT, 'dist/main.js')}`, ROOT);
let failed = 0;
try {
  await until('Gatehouse', () => /Ready in/.test(service.text), service);
  await addPerson();
  const browser = await launchChromium();
  for (const name of wanted) {
    const begin = Date.now();
    try {
      const outcome = await verify(name, browser);
      console.log(`${name.padEnd(14)} ${outcome} (${Math.round((Date.now() - begin) / 1000)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`${name.padEnd(14)} FAILED: ${error.message}`);
    }
  }
  await browser.close();
} finally {
  service.child.kill('SIGTERM'); // it ends its PostgreSQL
  await new Promise((resolve) => service.child.once('exit', resolve));
  rmSync(WORK, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);
