const { startIdp } = require('gatehouse/test-idp');

let idp;

beforeAll(async () => {
  idp = await startIdp();
}, 60_000);
beforeEach(() => idp.reset());
afterAll(() => idp.stop());

test('an API knows Alice by her token', async () => {
  const { accessToken } = await idp.signIn('alice');
  expect(await userinfo(accessToken)).toMatchObject({ status: 200, sub: 'alice', name: 'Alice Adams' });
});

test('and does not know her any more when she was locked', async () => {
  const { accessToken } = await idp.signIn('alice');
  await idp.lock('alice');
  expect(await userinfo(accessToken)).toMatchObject({ status: 401 });
});

async function userinfo(token) {
  const { userinfo_endpoint: endpoint } = await (await fetch(idp.discoveryUrl)).json();
  const answer = await fetch(endpoint, { headers: { Authorization: `Bearer ${token}` } });
  return { status: answer.status, ...(await answer.json()) };
}
