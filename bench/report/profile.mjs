import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { table } from './table.mjs';

const MOST_FUNCTIONS = 25;
const NOT_WORK = new Set(['(idle)', '(root)']);

/** Where the time of a V8 profile goes: by function and by package, each as a share of the time in use. */
export async function describeProfile(folder) {
  const profile = JSON.parse(await readFile(await newestProfile(folder), 'utf8'));
  const selfMicroseconds = new Map(profile.nodes.map(({ id }) => [id, 0]));
  profile.samples.forEach((id, index) =>
    selfMicroseconds.set(id, selfMicroseconds.get(id) + profile.timeDeltas[index]),
  );

  const functions = new Map();
  const packages = new Map();
  let total = 0;
  for (const { id, callFrame } of profile.nodes) {
    if (NOT_WORK.has(callFrame.functionName)) continue;
    const time = selfMicroseconds.get(id);
    total += time;
    add(functions, `${callFrame.functionName || '(anonymous)'}  ${placeOf(callFrame)}`, time);
    add(packages, packageOf(callFrame), time);
  }
  const rows = (map, most) =>
    [...map]
      .sort(([, a], [, b]) => b - a)
      .slice(0, most)
      .map(([name, time]) => [`${((time * 100) / total).toFixed(1)}%`, `${Math.round(time / 1000)} ms`, name]);
  return (
    `Where the CPU of our service went (self time, main thread, ${Math.round(total / 1000)} ms in use)\n` +
    `${table(['share', 'time', 'function'], rows(functions, MOST_FUNCTIONS))}\n\n` +
    `${table(['share', 'time', 'package'], rows(packages, MOST_FUNCTIONS))}\n`
  );
}

async function newestProfile(folder) {
  const files = (await readdir(folder))
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => join(folder, name));
  if (files.length === 0) throw new Error('our service left no CPU profile: did it end by itself?');
  const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  return files[times.indexOf(Math.max(...times))];
}

function add(map, key, time) {
  map.set(key, (map.get(key) ?? 0) + time);
}

function placeOf({ url, lineNumber }) {
  if (!url) return '';
  const path = url.replace(/^file:\/\//, '').replace(/^.*\/(node_modules|dist)\//, '$1/');
  return `${path}:${lineNumber + 1}`;
}

function packageOf({ functionName, url }) {
  if (!url) return functionName.startsWith('(') ? functionName : '(native)';
  if (url.startsWith('node:')) return 'node';
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  if (inPackage) return inPackage[1];
  return /\/(dist\/[^/]+)/.exec(url)?.[1] ?? url;
}
