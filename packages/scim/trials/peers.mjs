/*
 * Programs of others against a running service: scim2-cli with scim2-tester, and scim-sanity, in a Python environment
 * of their own: node trials/peers.mjs
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp, startService } from './service.mjs';

const PEERS = ['scim2-cli==0.6.0', 'scim2-tester==0.5.2', 'scim-sanity==0.7.4'];
const PYTHON = process.env.SCIM_PEERS ?? join(tmpdir(), 'gatehouse-scim-peers');

/** What they complain of, and we want as it is. */
const WANTED = [
  // An account is open or not; nothing stands for neither.
  /did not remove attribute 'active'/,
  // The name of a member, which only we know, comes back beside the ID.
  /'members' was not (added|replaced) or has unexpected value/,
  // Entra asks for 204, which RFC 7644 §3.5.2 allows: a group may have many members.
  /PATCH \/Groups\/\{id\}$/,
  /PATCH \/Groups\/\{id\} remove members$/,
  // Members are users of the organization.
  /PATCH \/Groups\/\{id\} add member$/,
];

function run(program, words, env = {}) {
  const { stdout, stderr, error } = spawnSync(program, words, {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    env: { ...process.env, ...env },
  });
  if (error) throw error;
  return stdout + stderr;
}

function report(name, output, complaints, passed) {
  const open = complaints.filter((complaint) => !WANTED.some((wanted) => wanted.test(complaint)));
  console.log(`${name}: ${passed} passed, ${complaints.length} complaints, ${open.length} of them open`);
  for (const complaint of open) console.log(`  ${complaint}`);
  if (passed === 0) console.log(output);
  if (open.length > 0 || passed === 0) process.exitCode = 1;
}

if (!existsSync(PYTHON)) {
  run('python3', ['-m', 'venv', PYTHON]);
  run(join(PYTHON, 'bin/pip'), ['install', '--quiet', ...PEERS]);
}

const service = await startService({ env: { LOG_LEVEL: 'warn' } });
try {
  const { token, base } = await setUp(service);
  const tested = run(join(PYTHON, 'bin/scim2'), ['--url', base, 'test', '--verbose'], {
    SCIM_CLI_HEADERS: `Authorization: Bearer ${token}`,
  });
  const errors = [...tested.matchAll(/^(?:ERROR|CRITICAL|ACCEPTABLE)\b.*\n\s*(.*)$/gm)].map(([, said]) => said);
  report('scim2-tester', tested, errors, tested.match(/^SUCCESS/gm)?.length ?? 0);
  const probed = run(join(PYTHON, 'bin/scim-sanity'), ['probe', base, '--token', token, '--i-accept-side-effects']);
  const failures = [...probed.matchAll(/\[FAIL\] (.*)$/gm)].map(([, said]) => said);
  report('scim-sanity', probed, failures, probed.match(/\[PASS\]/g)?.length ?? 0);
} finally {
  await service.stop();
}
