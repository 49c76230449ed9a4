import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const FIRST = `(function($part,$outside,$mport,import_meta){"use strict";
const {second}=$part("./second.js"),{sep}=$outside("node:path");
const later=()=>$mport("./later.js");
function fail(){throw new Error("failed")}
return{text:second+sep+import_meta.url.split("/").at(-1),later:later,fail:fail}})
`;
const SECOND = `(function(){"use strict";console.log("second runs");return{second:"2"}})\n`;
const START = `
import { exportsOf, keepCompiled } from './run-script.ts';
const { text, later, fail } = exportsOf('first.js');
console.log(text, exportsOf('second.js').second, (await later()).default);
try { fail(); } catch (error) { console.log(error.stack.split('\\n')[1].trim().replace(/file:.*\\//, '')); }
keepCompiled();
`;

describe('The files of the bundle that each start needs', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-scripts-'));
    mkdirSync(join(folder, 'bundle', 'scripts'), { recursive: true });
    cpSync(join(import.meta.dirname, 'run-script.ts'), join(folder, 'bundle', 'run-script.ts'));
    writeScript('first.js', FIRST);
    writeScript('second.js', SECOND);
    write(
      'later.js',
      `import { exportsOf } from './run-script.ts';export default exportsOf('second.js').second + '!';`,
    );
    write('start.mjs', START);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, text: string): void => writeFileSync(join(folder, 'bundle', name), text);
  const writeScript = (name: string, text: string): void => write(join('scripts', name), text);

  /** Lines of what a start prints. */
  const start = (...options: string[]): string[] => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...options, join(folder, 'bundle', 'start.mjs')], {
      encoding: 'utf8',
    });
    expect({ status, stderr: stderr.replace(/^.*ExperimentalWarning[^]*$/m, '') }).toEqual({ status: 0, stderr: '' });
    return stdout.trim().split('\n');
  };

  const keptFolder = (): string => {
    const [name] = readdirSync(join(folder, 'compiled')).filter((entry) => entry.startsWith('scripts-'));
    return join(folder, 'compiled', name!);
  };
  const kept = (): string[] => readdirSync(keptFolder()).sort();

  it('run once each, with what others export, what is outside of the bundle, and what is loaded later', () => {
    expect(start()).toEqual(['second runs', '2/first.js 2 2!', 'at fail (first.js:4:23)']);
  });

  it('keep what V8 compiled, for the account alone, and leave it as it is at the next start', () => {
    start();
    expect(kept()).toEqual([
      expect.stringMatching(/^first\.js-[0-9a-f]+$/),
      expect.stringMatching(/^second\.js-[0-9a-f]+$/),
    ]);
    const stats = () => kept().map((name) => statSync(join(keptFolder(), name)));
    const before = stats();
    expect(before.map(({ mode }) => mode & 0o077)).toEqual([0, 0]);
    expect(start()).toHaveLength(3);
    expect(stats().map(({ ino }) => ino)).toEqual(before.map(({ ino }) => ino));
  });

  it('are compiled anew, and kept, where what was kept is damaged', () => {
    start();
    const file = join(keptFolder(), kept()[0]!);
    const whole = readFileSync(file);
    const damaged = Buffer.from(whole);
    damaged[whole.length >> 1]! ^= 0xff;
    for (const broken of [damaged, whole.subarray(0, whole.length >> 1), Buffer.alloc(0)]) {
      writeFileSync(file, broken);
      expect(start()).toHaveLength(3);
      const now = readFileSync(file);
      expect(now.length).toBeGreaterThan(whole.length >> 1);
      expect(now.equals(broken)).toBe(false);
    }
  });

  it('are compiled anew where a script has other code of the same length', () => {
    start();
    writeScript('first.js', FIRST.replace('second+sep', 'sep+second'));
    expect(start()[1]).toBe('/2first.js 2 2!');
    expect(kept()).toHaveLength(3);
  });

  it('run where nothing can be kept', () => {
    writeFileSync(join(folder, 'compiled'), 'a file in the place of the folder');
    expect(start()).toHaveLength(3);
  });

  it('have lines of sources in stack traces with --enable-source-maps', () => {
    writeScript('first.js', `${FIRST}//# sourceMappingURL=first.js.map\n`);
    // Line 4 of the script is line 12 of the source.
    const map = { version: 3, sources: ['first.ts'], names: [], mappings: ';;;AAWA' };
    writeScript('first.js.map', JSON.stringify(map));
    expect(start('--enable-source-maps').at(-1)).toMatch(/^at fail \(.*first\.ts:12:/);
  });
});
