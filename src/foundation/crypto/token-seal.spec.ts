import { beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../config/secret.js';
import { MasterKeys } from './master-key.js';
import { type TokenKind, TokenSeal } from './token-seal.js';

const PREFIX = {
  access: 'gta_',
  refresh: 'gtr_',
  code: 'gtc_',
  device: 'gtd_',
  agent: 'gtb_',
  recovery: 'gtk_',
  registration: 'gtn_',
  request: 'gtq_',
  pushed: 'gtu_',
  draft: 'gtf_',
  hint: 'gth_',
  brought: 'gts_',
} as const satisfies Record<TokenKind, string>;
const KINDS = Object.keys(PREFIX) as TokenKind[];
/** The prefixes of personal access tokens and of tokens with which applications register. */
const UNSEALED = ['gtp_', 'gti_'];
const payload = Buffer.from('family.1');

const sealUnder = async (current: string, ...previous: string[]): Promise<TokenSeal> =>
  new TokenSeal(
    await MasterKeys.from(
      new Secret(current),
      previous.map((key) => new Secret(key)),
    ),
  );

let seal: TokenSeal;
beforeAll(async () => {
  seal = await sealUnder('the first master key');
});

describe('A sealed token', () => {
  it('tells its kind by a prefix that no other token has', () => {
    const prefixes = [...Object.values(PREFIX), ...UNSEALED];
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });

  it.each(KINDS)('of the kind %s opens as that kind, and reports its kind', (kind) => {
    const token = seal.seal(kind, payload);
    expect(token.startsWith(PREFIX[kind])).toBe(true);
    expect(seal.open(kind, token)).toEqual(payload);
    expect(seal.open(kind, seal.sealDeterministically(kind, payload))).toEqual(payload);
  });

  it.each(KINDS.flatMap((made) => KINDS.filter((other) => other !== made).map((other) => [made, other] as const)))(
    'of the kind %s passes as no %s, also under that prefix',
    (made, other) => {
      const token = seal.seal(made, payload);
      expect(seal.open(other, token)).toBeUndefined();
      expect(seal.open(other, PREFIX[other] + token.slice(4))).toBeUndefined();
      // The key id of the other kind before the envelope of this one.
      const keyId = seal.seal(other, payload).slice(4, 10);
      expect(seal.open(other, PREFIX[other] + keyId + token.slice(10))).toBeUndefined();
    },
  );

  it('does not open when any character differs', () => {
    const token = seal.seal('access', payload);
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(seal.open('access', token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
    }
  });

  it('does not open cut, doubled, extended, in other case, padded or surrounded by white space', () => {
    const token = seal.seal('code', payload);
    for (let length = 0; length < token.length; length += 1)
      expect(seal.open('code', token.slice(0, length))).toBeUndefined();
    const variants = [
      token + token,
      `${token}A`,
      `${token}=`,
      `${token}==`,
      ` ${token}`,
      `${token} `,
      `${token}\n`,
      token.toUpperCase(),
      token.toLowerCase(),
    ];
    for (const variant of variants) expect(seal.open('code', variant)).toBeUndefined();
  });

  it('has one spelling: unused bits of its last character count', () => {
    // 1, 2 or 3 characters over: whatever the length, at least one of these payloads leaves unused bits.
    for (const length of [1, 2, 3]) {
      const token = seal.seal('access', Buffer.alloc(length));
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const opened = [...alphabet].filter((last) => seal.open('access', token.slice(0, -1) + last) !== undefined);
      expect(opened).toEqual([token.at(-1)]);
    }
  });

  it('does not open in the other base64 alphabet', () => {
    const token = Array.from({ length: 200 }, () => seal.seal('access', payload)).find((text) =>
      /[-_]/.test(text.slice(10)),
    )!;
    expect(
      seal.open('access', token.slice(0, 10) + token.slice(10).replaceAll('-', '+').replaceAll('_', '/')),
    ).toBeUndefined();
  });

  it('is refused unread when it is longer than any of ours', () => {
    expect(seal.open('access', seal.seal('access', Buffer.alloc(20_000)))).toBeUndefined();
  });

  it.each([
    '',
    'gta_',
    'gta_abcdef',
    'gtr_',
    'null',
    'undefined',
    '__proto__',
    'gta___proto__',
    '\u0000',
    'é',
    'gta_ééééééé',
  ])('is not what "%s" is', (text) => {
    for (const kind of KINDS) expect(seal.open(kind, text)).toBeUndefined();
  });

  it('never comes twice, unless it is asked for again', () => {
    const tokens = Array.from({ length: 10_000 }, () => seal.seal('access', payload));
    expect(new Set(tokens).size).toBe(10_000);
    expect(seal.sealDeterministically('refresh', payload)).toBe(seal.sealDeterministically('refresh', payload));
  });
});

describe('A master key', () => {
  it('that is not ours opens nothing', async () => {
    const stranger = await sealUnder('some other master key');
    expect(stranger.open('access', seal.seal('access', payload))).toBeUndefined();
  });

  it('that was replaced still opens what it sealed, and seals nothing more', async () => {
    const rotated = await sealUnder('the second master key', 'the first master key');
    expect(rotated.open('refresh', seal.seal('refresh', payload))).toEqual(payload);
    expect(seal.open('refresh', rotated.seal('refresh', payload))).toBeUndefined();
  });

  it('opens nothing any more once it has left the list', async () => {
    const later = await sealUnder('the second master key');
    expect(later.open('refresh', seal.seal('refresh', payload))).toBeUndefined();
  });

  it('gives each purpose a key of its own', async () => {
    const keys = await MasterKeys.from(new Secret('the first master key'), []);
    const purposes = ['access', 'refresh', 'code', 'vault', 'csrf'].map((purpose) => keys.current(purpose));
    expect(new Set(purposes.map(({ key }) => key.export().toString('hex'))).size).toBe(purposes.length);
    expect(new Set(purposes.map(({ id }) => id)).size).toBe(purposes.length);
  });

  it('is the same key wherever it is given', async () => {
    const elsewhere = await sealUnder('the first master key');
    expect(elsewhere.open('code', seal.seal('code', payload))).toEqual(payload);
  });
});
