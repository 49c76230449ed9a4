/*
 * The kind against real servers, each with its own authority: node servers.trial.mjs slapd FOLDER, or samba FOLDER,
 * after slapd.sh or samba.sh has started it there. The connection is a plain one of Node, in place of Gatehouse's.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Secret } from 'gatehouse';
import { openConnection } from '../dist/connection/ldap-connection.js';
import { readServer } from '../dist/connection/server.js';
import { findPerson } from '../dist/entry/person-search.js';
import { groupsOf, mappedGroups } from '../dist/groups/group-search.js';
import { LdapKind } from '../dist/ldap.kind.js';

const [which, folder] = process.argv.slice(2);
const rootCa = readFileSync(join(folder, 'ca.pem'), 'utf8');
const none = {
  rootCa,
  firstNameAttribute: 'givenName',
  lastNameAttribute: 'sn',
  displayNameAttribute: 'displayName',
  nickNameAttribute: '',
  userNameAttribute: '',
  emailAttribute: 'mail',
  isEmailVerified: true,
  phoneAttribute: '',
  languageAttribute: '',
  memberOfAttribute: 'memberOf',
  groupBase: '',
  groupMemberAttribute: '',
  nestedGroups: false,
  groupMappings: [],
};
const places = {
  slapd: {
    ldaps: 'ldaps://127.0.0.1:3636',
    ldap: 'ldap://127.0.0.1:3890',
    settings: {
      ...none,
      bindDn: 'cn=gatehouse,dc=acme,dc=test',
      bindPassword: 'service-word',
      userBase: 'ou=people,dc=acme,dc=test',
      userFilters: ['uid', 'mail'],
      userObjectClasses: ['inetOrgPerson'],
      idAttribute: '',
      groupMappings: ['11=cn=admins,ou=groups,dc=acme,dc=test'],
    },
    word: (who) => `${who}-word`,
    states: { berta: 'password_expired', carla: 'password_must_change', dora: 'wrong' },
    rename: () =>
      execFileSync('ldapmodrdn', [
        ...['-x', '-r', '-H', 'ldap://127.0.0.1:3890', '-D', 'cn=root,dc=acme,dc=test', '-w', 'root-word'],
        'uid=anna,ou=people,dc=acme,dc=test',
        'uid=annika',
      ]),
    renamed: 'annika',
  },
  samba: {
    ldaps: 'ldaps://127.0.0.1:636',
    ldap: 'ldap://127.0.0.1:389',
    settings: {
      ...none,
      bindDn: 'CN=gatehouse,CN=Users,DC=acme,DC=test',
      bindPassword: 'Service-Word-1',
      userBase: 'CN=Users,DC=acme,DC=test',
      userFilters: ['sAMAccountName', 'userPrincipalName'],
      userObjectClasses: ['user'],
      idAttribute: 'objectGUID',
      groupBase: 'DC=acme,DC=test',
      nestedGroups: true,
      groupMappings: ['11=CN=admins,CN=Users,DC=acme,DC=test', '12=CN=everybody,CN=Users,DC=acme,DC=test'],
    },
    word: () => 'Person-Word-1',
    states: { berta: 'account_disabled', carla: 'password_must_change', dora: 'account_expired' },
    rename: () =>
      execFileSync('samba-tool', [
        'user',
        'rename',
        'anna',
        '--samaccountname=annika',
        '--force-new-cn=annika',
        '-s',
        join(folder, 'etc/smb.conf'),
      ]),
    renamed: 'annika',
  },
};
const { ldaps, ldap, settings, word, states, rename, renamed } = places[which];

const kind = new LdapKind();
const net = {
  connect: ({ host, port }) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port }, () => resolve(socket));
      socket.once('error', reject);
    }),
};

let failures = 0;
function say(what, found, expected) {
  const isRight = found === expected;
  if (!isRight) failures += 1;
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${what}: ${found}${isRight ? '' : ` instead of ${expected}`}`);
}

async function attempt(loginName, password, over = {}) {
  const trial = { providerId: '1', settings: { ...settings, servers: [ldaps], startTls: false, ...over }, loginName };
  try {
    const identity = await kind.check({ ...trial, password: new Secret(password) }, net);
    return identity?.subject ?? 'wrong';
  } catch (error) {
    return error.message;
  }
}

for (const [name, over] of [
  ['ldaps', { servers: [ldaps] }],
  ['StartTLS', { servers: [ldap], startTls: true }],
]) {
  const found = await kind.test({ providerId: '1', settings: { ...settings, ...over } }, net).then(
    () => 'fine',
    (error) => error.message,
  );
  say(`${name}: the test of the provider`, found, 'fine');
  const subject = await attempt('anna', word('anna'), over);
  say(`${name}: the right password`, /^[0-9a-f-]{32,36}$/.test(subject), true);
  say(`${name}: a wrong password`, await attempt('anna', 'wrong', over), 'wrong');
}
say('an unknown name', await attempt('nobody', word('nobody')), 'wrong');
say('a pattern', await attempt('ann*', word('anna')), 'wrong');
say('an authority that nobody named', /accepted/.test(await attempt('anna', word('anna'), { rootCa: '' })), true);
for (const [who, state] of Object.entries(states)) say(who, await attempt(who, word(who)), state);

const client = await openConnection(net, readServer(ldaps), { startTls: false, rootCa });
await client.bind(settings.bindDn, settings.bindPassword);
const person = await findPerson(client, settings, 'anna');
const groups = mappedGroups(settings, await groupsOf(client, settings, person));
say('groups', groups.join(), settings.groupMappings.map((each) => each.slice(0, 2)).join());
await client.unbind();

const before = await attempt('anna', word('anna'));
rename();
say('the old name after a renaming', await attempt('anna', word('anna')), 'wrong');
say('the new name has the same id', await attempt(renamed, word('anna')), before);

const times = { known: [], unknown: [] };
for (let round = 0; round < 40; round += 1)
  for (const [sort, name] of [
    ['known', `${renamed}`],
    ['unknown', 'nobody'],
  ]) {
    if (sort === 'known' && round >= 8) continue; // below the lockout of the directory
    const began = performance.now();
    await attempt(name, 'wrong');
    times[sort].push(performance.now() - began);
  }
for (const [sort, list] of Object.entries(times)) {
  const sorted = list.toSorted((a, b) => a - b);
  console.log(`     a wrong password, ${sort} name: median ${sorted[sorted.length >> 1].toFixed(1)} ms`);
}
process.exit(failures === 0 ? 0 : 1);
