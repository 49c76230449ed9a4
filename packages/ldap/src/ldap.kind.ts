import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type DirectoryGiven,
  type DirectoryKind,
  type DirectoryNet,
  DirectoryRefused,
  type DirectoryTrial,
  DomainError,
  type IdpIdentity,
  Secret,
} from 'gatehouse';
import type { Client } from 'ldapts';
import { isDisabled } from './bind/active-directory-codes.js';
import { isPasswordOf } from './bind/password-check.js';
import { DirectoryUnreachable, openConnection, reasonOf } from './connection/ldap-connection.js';
import { readServer, type Server, textOf } from './connection/server.js';
import { textsOf } from './entry/found.js';
import { identityOf } from './entry/identity.js';
import { findPerson } from './entry/person-search.js';
import { LdapSettings } from './ldap.settings.js';

const MARK = `<svg viewBox="0 0 24 24"><g fill="none" stroke="currentColor" stroke-width="2">
<rect x="9" y="3" width="6" height="5"/><rect x="3" y="16" width="6" height="5"/><rect x="15" y="16" width="6" height="5"/>
<path d="M12 8v4M6 16v-4h12v4"/></g></svg>`;

/** A server, and a connection to it on which the account that looks people up has signed in. */
interface Desk {
  readonly server: Server;
  readonly client: Client;
}

/** LDAP directories (RFC 4511) and Active Directory. */
@Injectable()
export class LdapKind implements DirectoryKind<LdapSettings> {
  readonly kind = 'ext:ldap';
  readonly settings = LdapSettings;
  readonly mark: string = MARK;

  async test({ settings }: DirectoryGiven<LdapSettings>, net: DirectoryNet): Promise<void> {
    const { client } = await this.openDesk(settings, net);
    try {
      // Nobody has such a name: the search alone tells whether it may be made.
      await findPerson(client, settings, randomName());
    } catch (error) {
      throw new DirectoryUnreachable(`People cannot be searched below ${settings.userBase}: ${reasonOf(error)}.`);
    } finally {
      await close(client);
    }
  }

  async check(
    { settings, loginName, password }: DirectoryTrial<LdapSettings>,
    net: DirectoryNet,
  ): Promise<IdpIdentity | undefined> {
    const { client, server } = await this.openDesk(settings, net);
    let found: Awaited<ReturnType<typeof findPerson>>;
    try {
      found = await findPerson(client, settings, loginName);
    } finally {
      // Before the next one is opened: whoever waits for a second place must not hold a first one.
      await close(client);
    }
    // Without a person, a bind of nobody takes the time of a wrong password.
    const name = found?.dn ?? `cn=${randomName()},${settings.userBase}`;
    const isRight = await this.bindsAs(name, password, { settings, net, server });
    if (!found || !isRight) return undefined;
    if (isDisabled(textsOf(found, 'userAccountControl')[0])) throw new DirectoryRefused('account_disabled');
    return identityOf(found, settings);
  }

  /** On a connection of its own, so that nothing is ever searched with the rights of whoever signs in. */
  private async bindsAs(
    name: string,
    password: Secret,
    { settings, net, server }: { settings: LdapSettings; net: DirectoryNet; server: Server },
  ): Promise<boolean> {
    const client = await openConnection(net, server, settings);
    try {
      return await isPasswordOf(client, name, password);
    } finally {
      await close(client);
    }
  }

  /**
   * The first server that answers.
   * @throws DirectoryUnreachable, DomainError if none does
   */
  private async openDesk(settings: LdapSettings, net: DirectoryNet): Promise<Desk> {
    const servers = settings.servers.map(readServer).filter((server) => server !== undefined);
    let failure: Error = new DirectoryUnreachable('The settings name no server.');
    for (const server of servers) {
      try {
        return { server, client: await this.signInAt(server, settings, net) };
      } catch (error) {
        if (!(error instanceof DirectoryUnreachable) && !(error instanceof DomainError)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  private async signInAt(server: Server, settings: LdapSettings, net: DirectoryNet): Promise<Client> {
    const client = await openConnection(net, server, settings);
    try {
      await client.bind(settings.bindDn, settings.bindPassword);
      return client;
    } catch (error) {
      await close(client);
      throw new DirectoryUnreachable(`${textOf(server)} does not let ${settings.bindDn} sign in: ${reasonOf(error)}.`);
    }
  }
}

function randomName(): string {
  return randomBytes(16).toString('hex');
}

/** Whether or not the server still listens. */
async function close(client: Client): Promise<void> {
  await client.unbind().catch(() => undefined);
}
