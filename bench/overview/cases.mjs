import { FIRST, LAST, RARE } from './names.mjs';

const PATH = '/ui/admin';
const query = (text) => `?${new URLSearchParams({ query: text })}`;
const people = (...texts) => texts.map((text) => `${PATH}/people${query(text)}`);
const folded = (name) => name.toLowerCase();

/**
 * Every page, with the addresses that are opened in turn.
 * @param {{ known: Array<{ id: string, userName: string, email: string, domain: string, hasFailures: boolean }> }} facts
 *   `known`: some people whom the manager may read
 * @returns {Array<{ name: string, paths: string[], roles?: string[] }>} `roles`: whose page it is, if not everybody's
 */
export function casesOf({ known }) {
  const failed = known.filter(({ hasFailures }) => hasFailures);
  const card = ({ id }) => `${PATH}/people/${id}`;
  return [
    { name: 'first page', paths: [PATH] },
    { name: 'people: rare name', paths: people(folded(RARE.first), folded(RARE.last)) },
    { name: 'people: common first name', paths: people(...FIRST.slice(0, 10).map(folded)) },
    { name: 'people: common last name', paths: people(...LAST.slice(0, 10).map(folded)) },
    { name: 'people: three letters', paths: people('ann', 'mar', 'man', 'sch', 'ele') },
    { name: 'people: rare three letters', paths: people('qiq', 'quo', 'xeq', 'bzz') },
    { name: 'people: two words', paths: people('anna schmidt', 'peter web', 'schneider mari', 'ann mann') },
    { name: 'people: two common words of nobody', paths: people('anna klaus', 'müller fischer', 'peter michael') },
    { name: 'people: a rare word and a common one', paths: people(`${RARE.last} mail.test`, `ann ${RARE.first}`) },
    {
      name: 'people: five words',
      paths: people('anna maria schmidt big mail', 'a b c d e', 'peter weber mail test 77'),
    },
    { name: 'people: two letters', paths: people('an', 'sc', 'pe') },
    { name: 'people: rare two letters', paths: people('qx', 'zz', '7_', 'xb', '%%') },
    { name: 'people: one letter', paths: people('a', 'q', 'z', '%', '7') },
    { name: 'people: letter and word', paths: people('a schmidt', 'qx anna', 'j q', 'z klaus') },
    { name: 'people: whole address', paths: people(...known.map(({ email }) => email)) },
    { name: 'people: login name', paths: people(...known.map(({ userName, domain }) => `${userName}@${domain}`)) },
    { name: 'people: no match', paths: people('xqzwv', 'wrzlbrnft', 'qqq') },
    {
      name: 'people: 30 random characters',
      paths: people('k3j9dkw02mvbq8sxn1zt7ypl4hrgce', 'q%_8fk20x\\mvnb71hd83kqpalz0x_e'),
    },
    { name: 'people: the domain of all', paths: people('mail.test', 'mail', '@mail.test', '.te') },
    { name: 'card', paths: known.map(card) },
    { name: 'card after failures', paths: failed.map(card) },
    { name: 'card, for an application', paths: known.map((one) => `${card(one)}?application=client-77`) },
    { name: 'organizations', paths: [`${PATH}/organizations`], roles: ['chief'] },
    {
      name: 'organizations: text',
      paths: ['gmb', 'big', 'qiqi', 'example', 'a', 'small-77.ex', 'zzzz'].map(
        (text) => `${PATH}/organizations${query(text)}`,
      ),
      roles: ['chief'],
    },
    { name: 'applications', paths: [`${PATH}/applications`] },
    {
      name: 'applications: common text',
      paths: ['portal', 'por', 'p', 'an'].map((text) => `${PATH}/applications${query(text)}`),
    },
    {
      name: 'applications: rare text',
      paths: ['quartermaster', 'client-77', 'qx', 'zzzz'].map((text) => `${PATH}/applications${query(text)}`),
    },
    { name: 'policies', paths: [`${PATH}/policies`] },
    { name: 'operation', paths: [`${PATH}/operation`] },
  ];
}
