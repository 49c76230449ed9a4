import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { startWorld, type World } from '../support/world.js';

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const execute = promisify(execFile);

interface Finding {
  readonly state: 'fine' | 'note' | 'wrong';
  readonly subject: string;
  readonly finding: string;
  readonly remedy?: string;
}

let world: World;

beforeAll(async () => {
  world = await startWorld({ realTime: true });
});
afterAll(() => world.close());

async function doctor(
  over: Record<string, string> = {},
): Promise<{ code: number; findings: Finding[]; output: string }> {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: world.database.url,
    MASTER_KEY: world.config.secrets.masterKey!.reveal(),
    PUBLIC_URL: world.issuer,
    ...over,
  };
  const outcome = await execute(process.execPath, [MAIN, 'doctor', '--json'], { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, output: stdout }),
  );
  return { ...outcome, findings: JSON.parse(outcome.output) as Finding[] };
}

const wrong = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ state }) => state === 'wrong')
    .map(({ subject, finding, remedy = '' }) => `${subject}: ${finding} ${remedy}`);

describe('gatehouse doctor', () => {
  it('finds nothing wrong with a service that runs, and changes nothing', async () => {
    const before = await world.contents();
    const { code, findings } = await doctor();
    expect(wrong(findings)).toEqual([]);
    expect(code).toBe(0);
    expect([...new Set(findings.map(({ subject }) => subject))].sort()).toEqual(
      ['PUBLIC_URL', 'clock', 'database', 'e-mail', 'keys', 'settings'].sort(),
    );
    expect(await world.contents()).toBe(before);
  });

  it.each<[string, () => Promise<Record<string, string>>, RegExp]>([
    [
      'another master key',
      async () => ({ MASTER_KEY: 'the key of another database' }),
      /keys: MASTER_KEY cannot decrypt/,
    ],
    [
      'nothing behind PUBLIC_URL',
      async () => ({ PUBLIC_URL: `http://127.0.0.1:${await freePort()}` }),
      /PUBLIC_URL: .*ECONNREFUSED.*Start/,
    ],
    [
      'another issuer behind PUBLIC_URL',
      async () => ({ PUBLIC_URL: world.issuer.replace('127.0.0.1', 'localhost') }),
      /says that it is http/,
    ],
    [
      'an https PUBLIC_URL without trusted proxies',
      async () => ({ PUBLIC_URL: 'https://id.invalid' }),
      /settings: .*TRUSTED_PROXIES is empty.*Set TRUSTED_PROXIES/,
    ],
    [
      'a name that nobody resolves',
      async () => ({ PUBLIC_URL: 'https://id.invalid' }),
      /PUBLIC_URL: .*(ENOTFOUND|EAI_AGAIN).*DNS/,
    ],
    [
      'a mail server that does not answer',
      async () => ({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_FROM: 'a@b.test' }),
      /e-mail: .*SMTP_URL/,
    ],
    ['a misspelled setting', async () => ({ PUBLIC_ULR: 'x' }), /settings: PUBLIC_ULR is not a setting.*PUBLIC_URL/],
    ['an invalid setting', async () => ({ PORT: 'x' }), /settings: PORT is "x"/],
    [
      'a database that cannot be reached',
      async () => ({ DATABASE_URL: 'postgres://x:secret-word@127.0.0.1:1/x' }),
      /database: The database cannot be reached/,
    ],
  ])('says what to do about %s', async (_, settings, expected) => {
    const { code, findings, output } = await doctor(await settings());
    expect(code).toBe(1);
    expect(wrong(findings).join('\n')).toMatch(expected);
    expect(output).not.toContain('secret-word');
  });

  it('notices a signing key that is not rotated, and e-mails that wait', async () => {
    await world.rows("UPDATE signing_key SET activated_at = now() - interval '100 days' WHERE state = 'active'");
    const person = await world.add.person({ orgId: world.firstStart.orgId });
    await world.rows(
      `INSERT INTO outbox (id, user_id, org_id, kind, recipient, recipient_key, due_at, created_at)
       VALUES ('waiting', $1, $2, 'init', 'a@b.test', 'a@b.test', now() + interval '1 day', now() - interval '1 hour')`,
      [person.id, world.firstStart.orgId],
    );
    const found = wrong((await doctor()).findings).join('\n');
    expect(found).toMatch(/keys: The signing key has been signing for 100 days/);
    expect(found).toMatch(/e-mail: 1 e-mail waits, the oldest for 60 minutes/);
  });
});
