/*
 * Known vulnerabilities of all packages, since those that are bundled are development dependencies, by the registry. A registry without that service cannot be asked:
 * that is said, and is no failure of the change.
 */
import { spawnSync } from 'node:child_process';

const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', shell: process.platform === 'win32' });
const report = parse(stdout);
if (report?.auditReportVersion === undefined) {
  const why = report?.message ?? report?.error?.summary ?? 'no answer';
  console.log(`NOT AUDITED: the registry answered nothing about vulnerabilities (${String(why).slice(0, 200)}).`);
} else {
  const found = Object.values(report.vulnerabilities);
  for (const { name, severity, range } of found) console.log(`${severity}: ${name} ${range}`);
  console.log(`${found.length} packages with known vulnerabilities.`);
  if (found.some(({ severity }) => severity === 'high' || severity === 'critical')) process.exitCode = 1;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
