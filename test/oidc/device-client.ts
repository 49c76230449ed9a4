import type { ClientSettings } from '../../src/project/client/client-settings.js';
import type { TestClient } from '../support/builders.js';
import type { World } from '../support/world.js';

export async function deviceClient(world: World, settings: Partial<ClientSettings> = {}): Promise<TestClient> {
  return world.add.client({
    projectId: await world.cast.projectP,
    grantTypes: ['device_code', 'refresh_token'],
    redirectUris: [],
    ...settings,
  });
}

export async function television(world: World): Promise<TestClient> {
  return deviceClient(world, { authMethod: 'none', clientType: 'native', name: 'Television' });
}

/** How many families of refresh tokens it has. */
export async function familiesOf(world: World, client: TestClient): Promise<number> {
  return (await world.rows('SELECT id FROM token_family WHERE client_id = $1', [client.clientId])).length;
}
