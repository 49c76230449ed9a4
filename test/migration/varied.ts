import { readableName } from '../../src/project/client/metadata/client-about.js';
import type { Json } from '../support/admin-api.js';
import { fullDocument } from './document.js';

/** The same numbers for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * One, two, three and four bytes of UTF-8; what JSON, SQL and HTML have to escape; from right to left; composed, and
 * joined.
 */
const ALPHABET = [
  'a',
  'Z',
  '7',
  'ß',
  'é',
  'e\u0301',
  'ж',
  'ש',
  'ع',
  '漢',
  '\u{20000}',
  '😀',
  '👩‍🚀',
  '"',
  "'",
  '\\',
  '<',
  '&',
  '%',
  '$',
  ';',
  '\u00a0',
  '\u202e',
  '\ufffd',
];

type Members = Record<string, unknown>;

/** Texts of so many code points at most, by the names of their members. */
const TEXTS: Readonly<Record<string, number>> = {
  firstName: 200,
  lastName: 200,
  nickName: 200,
  middleName: 200,
  displayName: 200,
  streetAddress: 200,
  locality: 200,
  region: 200,
  formatted: 1_000,
  description: 500,
  group: 200,
  name: 200,
  customLinkText: 200,
  providedUserName: 200,
  script: 5_000,
  title: 200,
  preHeader: 200,
  footerText: 200,
};

/**
 * A document that uses every member, each time with other texts, flags and numbers. About half of the texts are as long
 * as they may be.
 */
export function variedDocument(seed: number): ReturnType<typeof fullDocument> {
  const next = random(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  const textOf = (limit: number): string => {
    const wanted = next() < 0.5 ? limit : 1 + below(limit);
    const points: string[] = [];
    while (points.length < wanted)
      points.push(...[...ALPHABET[below(ALPHABET.length)]!].slice(0, wanted - points.length));
    return `x${points.slice(1).join('')}`;
  };
  const vary = (members: Members, within: string): void => {
    for (const [name, value] of Object.entries(members)) {
      if (value !== null && typeof value === 'object') vary(value as Members, Array.isArray(members) ? within : name);
      else if (name === 'name' && within === 'about')
        // What an application says of itself is stored only as users may read it.
        members[name] = readableName(textOf(100));
      else if (name === 'name' && within === 'groups')
        members[name] = `${textOf(199)}x`; // no blank at its end
      else if (typeof value === 'string' && name in TEXTS && !isSmall(within, name))
        members[name] = textOf(TEXTS[name]!);
      else if (
        value === true &&
        /^(allow|hide|disable|force|has|ignore|project|consent|flat|skip|idToken|accessTokenRole)/.test(name) &&
        next() < 0.5
      )
        delete members[name];
      else if (name === 'value' && (within === 'userMetadata' || within === 'orgMetadata'))
        members[name] = Buffer.from(Array.from({ length: 1 + below(2_000) }, () => below(256))).toString('base64');
      else if (name === 'maxPasswordAttempts' || name === 'maxOtpAttempts') members[name] = 1 + below(20);
    }
  };
  const document = fullDocument();
  for (const org of document.orgs) vary(org, '');
  for (const [place, org] of document.orgs.entries()) {
    const [{ domainName }] = org['domains'] as [{ domainName: string }];
    for (let count = below(20); count > 0; count -= 1)
      org.humanUsers.push(namedAt(domainName, `${place}-${count}`, next() < 0.5));
  }
  return document;
}

/** Somebody whose user name is an address at a domain of the organization, as most people's are, or begins like one. */
function namedAt(domain: string, key: string, isWhole: boolean): Json {
  const userName = isWhole ? `p-${key}@${domain}` : `p-${key}-${domain}`;
  return {
    userId: `${domain}-${key}`,
    user: { userName, profile: { firstName: 'P', lastName: key, displayName: key } },
    state: 'USER_STATE_INITIAL',
  };
}

/** Names of projects, applications and organizations are short where they must be unique. */
function isSmall(within: string, name: string): boolean {
  return name === 'name' && ['org', 'idp', 'action'].includes(within);
}
