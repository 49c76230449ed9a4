// What the page at /docs costs until it is ready: see README.md.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { median } from './report/median.mjs';
import { say } from './report/say.mjs';

const run = promisify(execFile);
const { chromium } = createRequire(import.meta.url)('playwright-core');
const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:3000/docs' },
    times: { type: 'string', default: '7' },
  },
});

const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] });
try {
  const rows = [];
  for (let n = 0; n < Number(options.times); n += 1) rows.push(await open());
  for (const name of Object.keys(rows[0])) {
    const all = rows.map((row) => row[name]);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    say(`${name.padEnd(36)} ${median(all).toFixed(2).padStart(8)}   (${low.toFixed(2)} to ${high.toFixed(2)})`);
  }
} finally {
  await browser.close();
}

/** Without a cache. Processor time is that of the page's own thread, which other programs hardly change. */
async function open() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const wire = await context.newCDPSession(page);
  let bytes = 0;
  wire.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await wire.send('Network.enable');
  await wire.send('Performance.enable', { timeDomain: 'threadTicks' });
  const start = performance.now();
  await page.goto(options.url, { waitUntil: 'commit' });
  await page.waitForSelector('.opblock-tag');
  const waited = (performance.now() - start) / 1000;
  await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve()))');
  const { metrics } = await wire.send('Performance.getMetrics');
  await context.close();
  const of = (name) => metrics.find((metric) => metric.name === name).value;
  return {
    'processor time, s': of('TaskDuration'),
    'of it scripts, s': of('ScriptDuration'),
    'of it layout and style, s': of('LayoutDuration') + of('RecalcStyleDuration'),
    'memory of scripts, MB': of('JSHeapUsedSize') / 1e6,
    'over the wire, MB': bytes / 1e6,
    'time until it is ready, s': waited,
  };
}

/** `CHROMIUM_PATH`, or the one that comes by npm. */
async function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const script = fileURLToPath(new URL('../test/browser/unpack-chromium.mjs', import.meta.url));
  return (await run(process.execPath, [script])).stdout.trim();
}
