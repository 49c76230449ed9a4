import { SYLLABLES } from '../seed/syllables.mjs';

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$2BW8av28LtS8IvzwzlP2Gg$gKMkDDE1EHv3Co9/OqzWO6GK/OVqmfifxwJnbHBz280';
export const SEED = 'NB2W45DFOIZA2345NB2W45DFOIZA2345';
export const DOMAIN = 'bench.test';
const ENTRIES_A_CHUNK = 200;

/**
 * A request to import, in pieces, so that it never is in memory. An organization is what `about` says and its `lists`: for each
 * member of the document how many entries it has, and how the nth is made.
 * @param {Record<string, unknown>} settings beside the document
 * @param {Iterable<{ about: Record<string, unknown>, lists?: ReadonlyArray<readonly [member: string, count: number, entry: (n: number) => unknown]> }>} orgs
 */
export async function* requestOf(settings, orgs) {
  yield `${JSON.stringify({ timeout: '3600s', ...settings }).slice(0, -1)},"dataOrgs":{"orgs":[`;
  let isFirst = true;
  for (const { about, lists = [] } of orgs) {
    yield (isFirst ? '' : ',') + JSON.stringify(about).slice(0, -1);
    isFirst = false;
    for (const [member, count, entry] of lists) {
      yield `,"${member}":[`;
      for (let from = 0; from < count; from += ENTRIES_A_CHUNK) {
        const entries = Array.from({ length: Math.min(count - from, ENTRIES_A_CHUNK) }, (_, n) =>
          JSON.stringify(entry(from + n)),
        );
        yield (from === 0 ? '' : ',') + entries.join(',');
      }
      yield ']';
    }
    yield '}';
  }
  yield ']}}';
}

/**
 * One organization with that many people, each named by an address at its own domain, with a password hash, one in ten with a
 * second factor.
 */
export function documentOf(people, orgId = 'bench', domain = DOMAIN) {
  const entry = (n) =>
    person(n, { id: `${orgId}-${n}`, userName: `${nameOf(n)}@${domain}`, ...(n % 10 === 0 ? { otpCode: SEED } : {}) });
  return requestOf({}, [{ about: org(orgId, { domain }), lists: [['humanUsers', people, entry]] }]);
}

/** What an organization says of itself; `more`: further members that are no lists of entries. */
export function org(orgId, { domain = `${orgId}.test`, ...more } = {}) {
  return { orgId, org: { name: orgId }, domains: [{ domainName: domain, isVerified: true, isPrimary: true }], ...more };
}

export function nameOf(n) {
  return `${syllable(n)}${syllable(n * 7 + 3)}.${syllable(n * 13 + 5)}${syllable(n * 3)}${syllable(n * 11)}.${n}`;
}

/**
 * The nth person; what `user` holds beside the id is said of them instead of, or beside, what everybody has.
 * @param {number} n
 * @param {{ id?: string, userName?: string } & Record<string, unknown>} [user]
 */
export function person(n, { id = `bench-${n}`, userName = nameOf(n), ...user } = {}) {
  const [firstName, lastName] = nameOf(n).split('.').map(capital);
  return {
    userId: id,
    user: {
      userName,
      profile: { firstName, lastName, preferredLanguage: 'de' },
      email: { email: `${nameOf(n)}@mail.test`, isEmailVerified: true },
      ...(n % 3 === 0 ? { phone: { phone: `+4179${String(n).padStart(7, '0')}`, isPhoneVerified: true } } : {}),
      hashedPassword: { value: HASH },
      ...user,
    },
  };
}

const syllable = (n) => SYLLABLES[((n * 2_654_435_761) % 4_294_967_296) % SYLLABLES.length];
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
