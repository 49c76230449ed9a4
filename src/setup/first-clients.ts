import { Injectable } from '@nestjs/common';
import { ClientService, type NewClient } from '../client/client.service.js';
import { DOCUMENTATION_CLIENT_ID } from '../client/documentation-client.js';
import { DemoConfig, FirstStartConfig, IssuerConfig } from '../foundation/config/config.js';
import type { Transaction } from '../foundation/database/database.js';
import { SYSTEM } from '../foundation/event/journal.js';

/** The applications of a new instance: the API documentation and, in development, the demo. */
@Injectable()
export class FirstClients {
  constructor(
    private readonly clients: ClientService,
    private readonly config: FirstStartConfig,
    private readonly issuer: IssuerConfig,
    private readonly demo: DemoConfig,
  ) {}

  async add(tx: Transaction, projectId: string): Promise<void> {
    await this.addPublic(
      tx,
      { projectId, clientId: DOCUMENTATION_CLIENT_ID, name: 'API documentation' },
      {
        redirectUris: [`${this.issuer.publicUrl}/docs/oauth2-redirect.html`],
        postLogoutRedirectUris: [`${this.issuer.publicUrl}/docs`],
        grantTypes: ['authorization_code'],
      },
    );
    const demoOrigin = this.demo.origin;
    if (!this.config.development || demoOrigin === undefined) return;
    await this.addPublic(
      tx,
      { projectId, clientId: this.demo.clientId, name: 'Demo application' },
      {
        redirectUris: [...this.demo.redirectUris],
        postLogoutRedirectUris: [`${demoOrigin}/`],
        grantTypes: ['authorization_code', 'refresh_token'],
      },
    );
  }

  /** A client in a browser: no secret, PKCE. Its URIs may be http where the service itself is. */
  private async addPublic(
    tx: Transaction,
    identity: Pick<NewClient, 'projectId' | 'name'> & { clientId: string },
    settings: Pick<NewClient, 'redirectUris' | 'postLogoutRedirectUris' | 'grantTypes'>,
  ): Promise<void> {
    await this.clients.register(
      tx,
      {
        ...identity,
        ...settings,
        kind: 'oidc',
        authMethod: 'none',
        clientType: 'user_agent',
        responseTypes: ['code'],
        devMode: !this.issuer.isHttps || settings.redirectUris?.some((uri) => uri.startsWith('http:')) === true,
      },
      SYSTEM,
    );
  }
}
