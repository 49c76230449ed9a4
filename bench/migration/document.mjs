const HASH = '$argon2id$v=19$m=19456,t=2,p=1$2BW8av28LtS8IvzwzlP2Gg$gKMkDDE1EHv3Co9/OqzWO6GK/OVqmfifxwJnbHBz280';
const SEED = 'NB2W45DFOIZA2345NB2W45DFOIZA2345';
const SYLLABLES = ['an', 'be', 'ca', 'do', 'el', 'fi', 'gu', 'ha', 'il', 'jo', 'ka', 'li', 'mo', 'na', 'ol', 'pe', 'qi', 'ro', 'sa', 'ti'];
const PEOPLE_A_CHUNK = 200;

/** One organization with that many people, each with a password hash and a verified address, one in ten with a second factor: in pieces, so that it never is in memory. */
export async function* documentOf(people) {
  yield '{"timeout":"3600s","dataOrgs":{"orgs":[{"orgId":"bench","org":{"name":"Bench"},"humanUsers":[';
  for (let from = 0; from < people; from += PEOPLE_A_CHUNK) {
    const chunk = [];
    for (let n = from; n < Math.min(people, from + PEOPLE_A_CHUNK); n += 1) chunk.push(JSON.stringify(personOf(n)));
    yield (from === 0 ? '' : ',') + chunk.join(',');
  }
  yield ']}]}}';
}

function personOf(n) {
  const firstName = capital(syllable(n) + syllable(n * 7 + 3));
  const lastName = capital(syllable(n * 13 + 5) + syllable(n * 3) + syllable(n * 11));
  const userName = `${firstName}.${lastName}.${n}`.toLowerCase();
  return {
    userId: `bench-${n}`,
    user: {
      userName,
      profile: { firstName, lastName, preferredLanguage: 'de' },
      email: { email: `${userName}@mail.test`, isEmailVerified: true },
      ...(n % 3 === 0 ? { phone: { phone: `+4179${String(n).padStart(7, '0')}`, isPhoneVerified: true } } : {}),
      hashedPassword: { value: HASH },
      ...(n % 10 === 0 ? { otpCode: SEED } : {}),
    },
  };
}

const syllable = (n) => SYLLABLES[(n * 2_654_435_761 % 4_294_967_296) % SYLLABLES.length];
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
