import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PUBLIC_EVENTS } from '../../src/foundation/event/catalogue.js';
import { INTERNAL_EVENTS } from '../../src/foundation/event/internal-events.js';

const root = join(import.meta.dirname, '..', '..');

/** Types whose words are put together: where, by which template, and the public ones that come of it. */
const COMPOSED: ReadonlyArray<readonly [file: string, template: string, types: RegExp]> = [
  ['src/user/permission/memberships.ts', '.$' + '{what}', /^(?:instance|org|project)\.member\./],
  ['src/webhook/webhook-rules.ts', 'webhook.$' + '{what}', /^webhook\./],
  ['src/webhook/webhooks.ts', "'deactivated'", /^webhook\.deactivated$/],
  ['src/project/client/client.service.ts', 'client.$' + '{input.kind}.added', /^client\.(?:oidc|api)\.added$/],
  ['src/user/user.service.ts', 'user.state.$' + '{state}', /^user\.state\./],
  [
    'src/user/factor/passkey.service.ts',
    "'user.human.passwordless.token'",
    /^user\.human\.(?:passwordless|mfa\.u2f)\.token\.added$/,
  ],
];

/** Names of statements and figures that look like types. */
const NO_TYPES: ReadonlySet<string> = new Set([
  'org.active',
  'project.active',
  'webhook.failed',
  'webhook.succeeded',
  'client.remove_unused',
  'registration.token_refused',
  'user.rule_refused',
]);

const ROOTS =
  'access_token|client|iam|instance|key|logout_notice|mail|mail_server|org|project|registration|session|sign_in|token|token_family|user|webhook';
const TYPE = new RegExp(`'((?:${ROOTS})(?:\\.[a-z0-9_]+)*\\.[a-z0-9_]*(?:ed|set|active))'`, 'g');

/** The files that can append to the journal, or make what is appended. */
const files = globSync('src/**/*.ts', { cwd: root })
  .filter(
    (path) =>
      !/\.(?:spec|dto|errors)\.ts$|catalogue|^src.(?:client|testing|docs|convert|account)|event-(?:deeds|sentence)/.test(
        path,
      ),
  )
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }))
  .filter(({ text }) => /journal|NewEvent|eventType|\.change\(tx|EventMark/i.test(text));

describe('The types of events in the code', () => {
  it('are in the catalogue, or named as internal: a new one is decided about', () => {
    const known = new Set([...PUBLIC_EVENTS.map(({ type }) => type), ...INTERNAL_EVENTS, ...NO_TYPES]);
    const strange = files.flatMap(({ path, text }) =>
      [...text.matchAll(TYPE)]
        .map(([, type]) => type!)
        .flatMap((type) => (known.has(type) ? [] : [`${type} in ${path}`])),
    );
    expect(strange).toEqual([]);
  });

  it('are each either public or internal', () => {
    expect(PUBLIC_EVENTS.filter(({ type }) => INTERNAL_EVENTS.has(type))).toEqual([]);
    const written = files.map(({ text }) => text).join('\n');
    expect([...INTERNAL_EVENTS, ...NO_TYPES].filter((type) => !written.includes(type))).toEqual([]);
  });

  it.each(PUBLIC_EVENTS.map((event) => [event.type, event] as const))(
    '%s is appended, with what it carries',
    (type, { carries }) => {
      const composed = COMPOSED.filter(([, , types]) => types.test(type)).map(([path]) => path);
      const makers = files.filter(({ path, text }) => text.includes(`'${type}'`) || composed.includes(path));
      expect(makers.map(({ path }) => path)).not.toEqual([]);
      const text = makers.map((one) => one.text).join('\n');
      expect(Object.keys(carries).filter((member) => !new RegExp(`\\b${member}\\b`).test(text))).toEqual([]);
    },
  );

  it('are put together where this test says so', () => {
    const missing = COMPOSED.filter(
      ([file, template]) => !files.some(({ path, text }) => path === file && text.includes(template)),
    );
    expect(missing).toEqual([]);
  });
});
