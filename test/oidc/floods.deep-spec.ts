import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sha256 } from '../../src/foundation/crypto/digest.js';
import { ProofsOfKeys } from '../../src/token/proof/proofs-of-keys.js';
import { freePort } from '../support/free-port.js';
import { type Headers, send, sendUnchecked } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { type Registered, RegistrationStage } from './registration-stage.js';

const MOST = 5_000;

describe('Without a token', () => {
  let stage: RegistrationStage;
  beforeAll(async () => {
    stage = await RegistrationStage.set();
  });
  afterAll(() => stage.world.close());

  it(`${MOST} applications may register themselves, and more when some have been removed [REG-012]`, async () => {
    const open = await startWorld({ replicaOf: stage.world, env: { REGISTRATION: 'open' } });
    const { client_id: first } = (await stage.register(undefined, {}, open)).json<Registered>();
    const [row] = await stage.world.rows<{ project_id: string }>('SELECT project_id FROM client WHERE client_id = $1', [
      first,
    ]);
    await stage.world.rows(
      `INSERT INTO client
       SELECT (jsonb_populate_record(c, jsonb_build_object('id', copy, 'client_id', copy, 'name', copy))).*
       FROM client c, generate_series(3, $2::int) n, LATERAL (SELECT 'copy-' || n AS copy) i
       WHERE c.client_id = $1`,
      [first, MOST],
    );
    expect((await stage.register(undefined, {}, open)).status).toBe(201);
    const reply = await stage.register(undefined, {}, open);
    expect([reply.status, reply.header('retry-after'), reply.json()['error']]).toEqual([
      429,
      '3600',
      expect.any(String),
    ]);
    // Whoever has a token does not depend on strangers.
    expect((await stage.register(await stage.newToken(), {}, open)).status).toBe(201);
    const sweep = `/management/v1/projects/${row!.project_id}/registered_apps/_sweep`;
    expect((await stage.admin.ask('POST', sweep, { unusedDays: 0 })).json()['removed']).toBeGreaterThan(0);
    expect((await stage.register(undefined, {}, open)).status).toBe(201);
    await open.close();
  });
});

describe('Proofs of keys', () => {
  let world: World;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    world = await startWorld({ env: { METRICS_PORT: String(port) } });
  });
  afterAll(() => world.close());

  /** How many proofs there were, by what became of them. */
  async function figures(): Promise<Record<string, number>> {
    const { text } = await sendUnchecked(`http://127.0.0.1:${port}`, { path: '/metrics' });
    const lines = text.matchAll(/^gatehouse_dpop_proofs_total\{[a-z]+="([^"]*)"\} ([0-9.e+-]+)$/gm);
    return Object.fromEntries([...lines].map(([, label, value]) => [label, Number(value)]));
  }

  it('say in the metrics that used ones were forgotten too early, when there are 100,000 at once [DPO-016]', async () => {
    const client = await world.add.client({ projectId: await world.cast.projectP });
    const [rp, prover] = [new RelyingParty(world, client), await Prover.make(world)];
    const { access_token: token } = tokensOf(
      await rp.redeem(await rp.code(await world.cast.alice), {}, world, await prover.forTokens()),
    );
    const ask = async (headers: Headers): Promise<number> =>
      (await send(world.origin, { path: paths.userinfo, headers })).status;
    const oldest = await prover.forResource(token, paths.userinfo);
    expect([await ask(oldest), await ask(oldest)]).toEqual([200, 401]);
    const before = await figures();
    // Signing so many takes minutes: these come from behind the check of the signature.
    const proofs = world.get(ProofsOfKeys);
    for (let n = 0; n < 100_000; n += 1)
      await proofs.spend({
        thumbprint: 'x',
        algorithm: 'ES256',
        digest: sha256(`${n}`),
        untilSeconds: world.now() + 60,
        nextNonce: undefined,
      });
    const newest = await prover.forResource(token, paths.userinfo);
    expect([await ask(newest), await ask(oldest), await ask(newest)]).toEqual([200, 200, 401]);
    const { accepted, forgotten } = await figures();
    expect(accepted! - before['accepted']!).toBe(100_002);
    // All those that there was no room for: 50,000 are remembered.
    expect([before['forgotten'], forgotten]).toEqual([undefined, before['accepted']! + 100_002 - 50_000]);
  });
});
