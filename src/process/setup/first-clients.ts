import { Injectable } from '@nestjs/common';
import { DemoConfig, FirstStartConfig, IssuerConfig } from '../../foundation/config/config.js';
import type { Transaction } from '../../foundation/database/database.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import { ClientService, type NewClient } from '../../project/client/client.service.js';
import { DOCUMENTATION_CLIENT_ID } from '../../project/client/documentation-client.js';

type BuiltIn = Pick<NewClient, 'name'> & {
  readonly clientId: string;
  readonly settings: Pick<NewClient, 'redirectUris' | 'postLogoutRedirectUris' | 'grantTypes' | 'devMode'>;
};

/** The applications of the service itself: the API documentation and, in development, the demo. */
@Injectable()
export class FirstClients {
  constructor(
    private readonly clients: ClientService,
    private readonly config: FirstStartConfig,
    private readonly issuer: IssuerConfig,
    private readonly demo: DemoConfig,
  ) {}

  /** Registers the clients, at the first start. */
  async add(tx: Transaction, projectId: string): Promise<void> {
    for (const { settings, ...identity } of this.builtIn())
      await this.clients.register(tx, { ...PUBLIC_CLIENT, ...identity, ...settings, projectId }, SYSTEM);
  }

  /**
   * Gives them the addresses that PUBLIC_URL and DEMO_PORT have now, at later starts. Administrators sign in at the API
   * documentation: with the address of an earlier PUBLIC_URL, no one could sign in there to correct it.
   */
  async keepCurrent(tx: Transaction, projectId: string): Promise<void> {
    for (const { clientId, settings } of this.builtIn()) {
      const registered = await this.clients.findRegistered(tx, clientId);
      // An import may have brought an application of the same client ID, for another project.
      if (registered?.projectId === projectId) await this.clients.changeSettings(tx, registered.id, settings, SYSTEM);
    }
  }

  private builtIn(): BuiltIn[] {
    const { publicUrl } = this.issuer;
    const documentation = {
      clientId: DOCUMENTATION_CLIENT_ID,
      name: 'API documentation',
      settings: {
        redirectUris: [`${publicUrl}/docs/oauth2-redirect.html`],
        postLogoutRedirectUris: [`${publicUrl}/docs`],
        grantTypes: ['authorization_code' as const],
        devMode: !this.issuer.isHttps,
      },
    };
    const { origin, clientId, redirectUris } = this.demo;
    if (!this.config.development || origin === undefined) return [documentation];
    const demo = {
      clientId,
      name: 'Demo application',
      settings: {
        redirectUris: [...redirectUris],
        postLogoutRedirectUris: [`${origin}/`],
        grantTypes: ['authorization_code' as const, 'refresh_token' as const],
        devMode: true,
      },
    };
    return [documentation, demo];
  }
}

/** Settings of a client in a browser: no secret, but PKCE. */
const PUBLIC_CLIENT = {
  kind: 'oidc',
  authMethod: 'none',
  clientType: 'user_agent',
  responseTypes: ['code'],
} satisfies Partial<NewClient>;
