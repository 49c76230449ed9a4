import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PUBLIC_EVENTS } from '../../src/foundation/event/catalogue.js';

const root = join(import.meta.dirname, '..', '..');

/** Types whose words are put together: where, by which template, and the public ones that come of it. */
const COMPOSED: ReadonlyArray<readonly [file: string, template: string, types: RegExp]> = [
  ['src/permission/memberships.ts', '.$' + '{what}', /^(?:instance|org|project)\.member\./],
  ['src/webhook/webhook-rules.ts', 'webhook.$' + '{what}', /^webhook\./],
  ['src/webhook/webhooks.ts', "'deactivated'", /^webhook\.deactivated$/],
  ['src/client/client.service.ts', 'client.$' + '{input.kind}.added', /^client\.(?:oidc|api)\.added$/],
  ['src/user/user.service.ts', 'user.state.$' + '{state}', /^user\.state\./],
  [
    'src/factor/passkey.service.ts',
    "'user.human.passwordless.token'",
    /^user\.human\.(?:passwordless|mfa\.u2f)\.token\.added$/,
  ],
];

/** Types that may change at any time, and that nobody outside hears of: what strangers cause in any number, and what is ours alone. */
const INTERNAL: ReadonlySet<string> = new Set(
  (
    'access_token.revoked client.document.added client.document.changed client.registered client.registration.renewed client.unused.removed ' +
    'iam.job.cancelled instance.added instance.default.language.set instance.default.org.set instance.event_listener.replayed ' +
    'instance.policy.security.set instance.registered.project.set instance.signing.changed instance.token.lifetimes.changed ' +
    'key.activation.requested logout_notice.retried mail.removed mail.retried org.domain.verification.added project.resources.set ' +
    'registration.token.added registration.token.removed session.second_factor_checked sign_in.mfa.check.failed sign_in.passkey.check.failed ' +
    'user.human.mfa.otp.added user.human.otp.email.code.added user.human.recoverycode.check.succeeded user.human.recoverycodes.added ' +
    'sign_in.password.check.failed token.impersonated token_family.revoked user.human.email.code.added ' +
    'user.human.externalidp.cascade.removed user.human.initialization.code.added user.human.mfa.init.skipped user.human.password.code.added ' +
    'user.human.password.expired user.human.passwordless.initialization.code.added user.human.recoverycodes.removed user.impersonated ' +
    'user.removal.requested user.service.secret.removed user.service.secret.set'
  ).split(' '),
);
/** Names of statements and figures that look like types. */
const NO_TYPES: ReadonlySet<string> = new Set([
  'org.active',
  'project.active',
  'webhook.failed',
  'webhook.succeeded',
  'client.remove_unused',
  'registration.token_refused',
]);

const ROOTS =
  'access_token|client|iam|instance|key|logout_notice|mail|org|project|registration|session|sign_in|token|token_family|user|webhook';
const TYPE = new RegExp(`'((?:${ROOTS})(?:\\.[a-z0-9_]+)*\\.[a-z0-9_]*(?:ed|set|active))'`, 'g');

/** The files that can append to the journal, or make what is appended. */
const files = globSync('src/**/*.ts', { cwd: root })
  .filter(
    (path) =>
      !/\.(?:spec|dto|errors)\.ts$|catalogue|^src.(?:testing|docs|convert|account)|event-(?:deeds|sentence)/.test(path),
  )
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }))
  .filter(({ text }) => /journal|NewEvent|eventType|\.change\(tx|EventMark/i.test(text));

describe('The types of events in the code', () => {
  it('are in the catalogue, or named as internal: a new one is decided about', () => {
    const known = new Set([...PUBLIC_EVENTS.map(({ type }) => type), ...INTERNAL, ...NO_TYPES]);
    const strange = files.flatMap(({ path, text }) =>
      [...text.matchAll(TYPE)]
        .map(([, type]) => type!)
        .flatMap((type) => (known.has(type) ? [] : [`${type} in ${path}`])),
    );
    expect(strange).toEqual([]);
  });

  it('are each either public or internal', () => {
    expect(PUBLIC_EVENTS.filter(({ type }) => INTERNAL.has(type))).toEqual([]);
    const written = files.map(({ text }) => text).join('\n');
    expect([...INTERNAL, ...NO_TYPES].filter((type) => !written.includes(type))).toEqual([]);
  });

  it.each(PUBLIC_EVENTS.map((event) => [event.type, event] as const))(
    '%s is appended, with what it carries',
    (type, { carries }) => {
      const composed = COMPOSED.filter(([, , types]) => types.test(type)).map(([path]) => path);
      const makers = files.filter(({ path, text }) => text.includes(`'${type}'`) || composed.includes(path));
      expect(makers.map(({ path }) => path)).not.toEqual([]);
      const text = makers.map((one) => one.text).join('\n');
      expect(carries.filter((member) => !new RegExp(`\\b${member}\\b`).test(text))).toEqual([]);
    },
  );

  it('are put together where this test says so', () => {
    const missing = COMPOSED.filter(
      ([file, template]) => !files.some(({ path, text }) => path === file && text.includes(template)),
    );
    expect(missing).toEqual([]);
  });
});
