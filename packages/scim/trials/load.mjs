/* Provisions many users and a group of all of them, and says what it takes: node trials/load.mjs [how many] */
import { memoryOf, setUp, startService } from './service.mjs';

const USERS = Number(process.argv[2] ?? 10_000);
const AT_ONCE = 8;

const service = await startService({ env: { ADMIN_RATE: '100000', LOG_LEVEL: 'warn' } });
try {
  const { token, base } = await setUp(service);
  let repeated = 0;
  const ask = async (method, path, body) => {
    const reply = await fetch(base + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    // Directories ask again.
    if (reply.status === 503) {
      repeated += 1;
      return ask(method, path, body);
    }
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const many = async (count, work) => {
    let next = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < count) await work(next++);
      }),
    );
  };
  const timed = async (what, count, work) => {
    const began = performance.now();
    await work();
    const seconds = (performance.now() - began) / 1000;
    const rate = (count / seconds).toFixed(0).padStart(5);
    console.log(`${rate} a second  ${seconds.toFixed(1).padStart(6)} s  ${memoryOf(service.pid)} MB  ${what}`);
  };
  console.log(`started in ${service.milliseconds} ms with ${memoryOf(service.pid)} MB`);

  const ids = [];
  const user = (at) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    externalId: `ext-${at}`,
    userName: `user${at}@example.com`,
    name: { givenName: 'Given', familyName: `Family${at}` },
    emails: [{ value: `user${at}@example.com`, type: 'work', primary: true }],
    active: true,
    title: 'Title',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: `Department ${at % 20}` },
  });
  const find = (filter) => ask('GET', `/Users?filter=${encodeURIComponent(filter)}`);
  const some = Math.min(USERS, 2_000);
  await timed(`${USERS} users created`, USERS, () =>
    many(USERS, async (at) => {
      ids[at] = (await ask('POST', '/Users', user(at))).id;
    }),
  );
  await timed('by userName eq', some, () => many(some, (at) => find(`userName eq "user${at}@example.com"`)));
  await timed('by externalId eq', some, () => many(some, (at) => find(`externalId eq "ext-${at}"`)));
  await timed('by emails[type eq "work"].value eq', some, () =>
    many(some, (at) => find(`emails[type eq "work"].value eq "user${at}@example.com"`)),
  );
  await timed('read by id', some, () => many(some, (at) => ask('GET', `/Users/${ids[at]}`)));
  await timed('PUT that changes nothing', some, () => many(some, (at) => ask('PUT', `/Users/${ids[at]}`, user(at))));
  await timed('PATCH of a name', some, () =>
    many(some, (at) =>
      ask('PATCH', `/Users/${ids[at]}`, { Operations: [{ op: 'replace', path: 'name.familyName', value: 'Changed' }] }),
    ),
  );
  const pages = Math.ceil(USERS / 100);
  await timed(`pages of 100 users, ${pages} of them`, pages, async () => {
    for (let page = 0; page < pages; page += 1) await ask('GET', `/Users?startIndex=${page * 100 + 1}&count=100`);
  });
  const group = await ask('POST', '/Groups', { displayName: 'Everybody' });
  await timed(`${USERS} members added, 1,000 at once`, USERS, async () => {
    for (let from = 0; from < USERS; from += 1_000) {
      const value = ids.slice(from, from + 1_000).map((id) => ({ value: id }));
      await ask('PATCH', `/Groups/${group.id}`, { Operations: [{ op: 'add', path: 'members', value }] });
    }
  });
  await timed('member removed by a filter', 100, () =>
    many(100, (at) =>
      ask('PATCH', `/Groups/${group.id}`, { Operations: [{ op: 'remove', path: `members[value eq "${ids[at]}"]` }] }),
    ),
  );
  await timed('group read with its members', 10, async () => {
    for (let at = 0; at < 10; at += 1) await ask('GET', `/Groups/${group.id}`);
  });
  await timed('deactivated', some, () =>
    many(some, (at) =>
      ask('PATCH', `/Users/${ids[at]}`, { Operations: [{ op: 'replace', value: { active: false } }] }),
    ),
  );
  await timed('removed', some, () => many(some, (at) => ask('DELETE', `/Users/${ids[at]}`)));
  console.log(`${repeated} requests repeated after 503`);
} catch (error) {
  console.error(service.log().slice(-10_000));
  throw error;
} finally {
  await service.stop();
}
