import { expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { sendUnchecked } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { begin } from './turns.js';

it('A defect is a page with a reference number that is in the log, and no other details', async () => {
  const world = await startWorld();
  try {
    const web1 = new RelyingParty(world, await world.cast.web1);
    const path = `${paths.hub}?authRequestID=1`;
    await begin(web1);
    await world.rows('ALTER TABLE parked_request RENAME TO mislaid');
    const cookie = [...web1.browser.cookies].map((pair) => pair.join('=')).join('; ');
    const reply = await sendUnchecked(world.origin, { path, headers: { Cookie: cookie } });
    expect([reply.status, reply.header('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
    expect(reply.header('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(reply.text).not.toMatch(/parked_request|relation|SELECT|\.js|stack/);
    const [, reference] = /<dt>Reference number<\/dt><dd><bdi>([\w-]+)<\/bdi>/.exec(reply.text) ?? [];
    expect(reference).toBeDefined();
    expect(world.logText()).toContain(`"reference":"${reference}"`);
    expect((await sendUnchecked(world.origin, { path: paths.hub })).status).toBe(200);
  } finally {
    await world.close();
  }
});
