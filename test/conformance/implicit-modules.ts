import { describe, expect, it } from '@jest/globals';
import type { RelyingParty } from '../support/relying-party.js';
import { commonModules } from './common-modules.js';
import { expectNothingUnrequested, type Suite } from './suite.js';
import { userinfoModules } from './userinfo-modules.js';

/** The OpenID Foundation's oidcc-implicit-certification-test-plan. */
export function implicitModules(suite: () => Suite): void {
  describe.each(['id_token', 'id_token token'] as const)('response_type=%s', (responseType) => {
    const newClient = (): Promise<RelyingParty> => suite().implicitClient(responseType);

    it('oidcc-server', async () => {
      const { answer, idToken } = await suite().pass(await newClient());
      expect(answer['access_token'] !== undefined).toBe(responseType === 'id_token token');
      expectNothingUnrequested(idToken);
    });

    commonModules(suite, newClient);

    it('oidcc-ensure-request-without-nonce-fails', async () => {
      const rp = await newClient();
      const request = suite().request({ nonce: undefined });
      expect(suite().receive(rp, await rp.authorize(request), request)['error']).toBe('invalid_request');
    });

    if (responseType === 'id_token token') userinfoModules(suite, newClient);
  });
}
