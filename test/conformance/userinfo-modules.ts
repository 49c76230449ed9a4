import { expect, it } from '@jest/globals';
import { type Sent, send } from '../support/http.js';
import { bearer, paths, type RelyingParty } from '../support/relying-party.js';
import type { Suite } from './suite.js';

/** The three ways to userinfo. */
export function userinfoModules(suite: () => Suite, newClient: () => Promise<RelyingParty>): void {
  it.each<[string, (token: string) => Partial<Sent>]>([
    ['oidcc-userinfo-get', (token) => ({ headers: bearer(token) })],
    [
      'oidcc-userinfo-post-header',
      (token) => ({
        method: 'POST',
        headers: { ...bearer(token), 'Content-Type': 'application/x-www-form-urlencoded' },
        body: '',
      }),
    ],
    ['oidcc-userinfo-post-body', (token) => ({ method: 'POST', body: { access_token: token } })],
  ])('%s', async (_, request) => {
    const { tokens, idToken } = await suite().pass(await newClient());
    const reply = await send(suite().world.origin, { path: paths.userinfo, ...request(tokens.access_token) });
    expect([reply.status, reply.header('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    expect(reply.json()['sub']).toBe(idToken.sub);
  });

  it('oidcc-response-type-missing', async () => {
    const rp = await newClient();
    const request = suite().request({ response_type: undefined });
    const answer = suite().receive(rp, await rp.authorize(request), request, 'query');
    expect(['invalid_request', 'unsupported_response_type']).toContain(answer['error']);
  });
}
