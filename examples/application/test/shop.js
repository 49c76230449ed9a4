import { once } from 'node:events';
import { createApp } from '../src/app.js';

/** The application, listening, and a browser's part in front of it: no library is needed for that. */
export async function startShop(idp) {
  const { clientId, clientSecret } = idp.applications.web;
  let url = '';
  const app = await createApp({ issuer: idp.issuer, clientId, clientSecret, url: () => url });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${server.address().port}`;

  let cookie = '';
  const get = async (target) => {
    const answer = await fetch(new URL(target, url), { redirect: 'manual', headers: { cookie } });
    cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? cookie;
    return answer;
  };
  const locationOf = async (target) => (await get(target)).headers.get('location');

  return {
    url,
    get,
    locationOf,
    /** The application sends its user to the identity provider, where the pages are done, and gets the answer. */
    signIn: async (user) => get(await idp.authorize(await locationOf('/login'), user)),
    me: async () => {
      const answer = await get('/me');
      return answer.status === 200 ? answer.json() : `${answer.status} ${await answer.text()}`;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
