import type { AdminApi, World } from 'gatehouse/testing';
import { decodeRedirect } from '../../src/bindings/redirect.js';
import { writeIdentityProvider } from '../../src/metadata/write-metadata.js';
import { signXml } from '../../src/signature/sign-xml.js';
import type { SigningKey } from '../../src/signature/signing-key.js';
import {
  ASSERTION_ID,
  AUDIENCE,
  assertion,
  at,
  NOW,
  PARTS,
  PROVIDER,
  RECIPIENT,
  REQUEST_ID,
  type RESPONSE,
  RESPONSE_ID,
  response,
} from '../../src/sp/provider.fixture.js';
import { newKey } from './service-provider.js';

const START = '/ui/login/login/externalidp';
const CALLBACK = '/ui/login/login/externalidp/callback';

type Party = ReturnType<World['party']>;

/** What changes of an answer. */
export interface Answer {
  readonly assertion?: Partial<typeof PARTS>;
  readonly response?: Partial<typeof RESPONSE>;
  readonly sign?: 'assertion' | 'response' | 'nothing';
  readonly key?: SigningKey;
  /** What somebody makes of the signed document. */
  readonly change?: (document: string) => string;
}

/** A browser that is at the provider. */
export interface Away {
  readonly party: Party;
  readonly providerId: string;
  readonly state: string;
  readonly requestId: string;
  readonly request: ReturnType<typeof decodeRedirect>;
}

let count = 0;

/** The name of somebody who was never here. */
export function nobody(): string {
  count += 1;
  return `person${count}`;
}

/** What an assertion says of them. */
export function named(subject: string): Partial<typeof PARTS> {
  return {
    nameId: PARTS.nameId.replace('anna', subject),
    attributes: PARTS.attributes.replace('anna@', `${subject}@`),
  };
}

/** An identity provider of a company, as an administrator has configured it. */
export class IdentityProviderPeer {
  private constructor(
    readonly world: World,
    readonly admin: AdminApi,
    readonly entityId: string,
    readonly key: SigningKey,
    readonly signOnUrl: string,
  ) {}

  static async make(world: World, admin: AdminApi): Promise<IdentityProviderPeer> {
    count += 1;
    const host = `idp${count}.test`;
    return new IdentityProviderPeer(
      world,
      admin,
      `https://${host}/metadata`,
      await newKey(world, host),
      `https://${host}/sso`,
    );
  }

  metadata(over: Partial<Parameters<typeof writeIdentityProvider>[0]> = {}): string {
    return writeIdentityProvider({
      entityId: this.entityId,
      certificates: [this.key.certificate],
      signOnEndpoints: (['redirect', 'post'] as const).map((binding) => ({ binding, url: this.signOnUrl })),
      logoutEndpoints: [],
      nameIdFormats: [],
      wantAuthnRequestsSigned: false,
      ...over,
    });
  }

  body(settings: object = {}, over: object = {}): Readonly<Record<string, unknown>> {
    count += 1;
    return {
      name: `Company ${count}`,
      kind: 'ext:saml',
      settings: { metadata: this.metadata(), ...settings },
      providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
      ...over,
    };
  }

  /** What adding it answers. */
  async add(
    settings: object = {},
    over: object = {},
  ): Promise<{ id: string; state: string; callbackUrl: string; parts: ReadonlyArray<{ part: string; ok: boolean }> }> {
    const added = await this.admin.call<Awaited<ReturnType<IdentityProviderPeer['add']>>>(
      'POST',
      '/admin/v1/idps/extension',
      this.body(settings, over),
    );
    await this.world.changesToArrive();
    return added;
  }

  /** As far as the provider, by redirect. */
  async leave(providerId: string, party: Party, demand: Parameters<Party['authorize']>[0] = {}): Promise<Away> {
    const { page } = await party.authorize(demand);
    const authRequestID = page?.formWith('authRequestID').fields['authRequestID'] ?? '';
    const query = new URLSearchParams({ authRequestID, idpConfigID: providerId });
    const { location = '' } = await party.browser.request('GET', `${START}?${query}`);
    const request = decodeRedirect(location.slice(location.indexOf('?') + 1));
    const requestId = request.root.attribute('ID') ?? '';
    return { party, providerId, state: request.relayState ?? '', requestId, request };
  }

  /** The document that the provider answers. */
  document(
    away: Away,
    { assertion: parts, response: around, sign = 'assertion', key = this.key, change }: Answer = {},
  ) {
    const plain = this.adapt(response(assertion(parts), around), away);
    const id = sign === 'response' ? RESPONSE_ID : ASSERTION_ID;
    const signed = sign === 'nothing' ? plain : signXml(plain, { id, hasIssuer: true }, key);
    return change ? this.adapt(change(signed), away) : signed;
  }

  /** The fixture speaks of another turn at another time. What is of this one already stays. */
  private adapt(xml: string, { providerId, requestId }: Away): string {
    const { world } = this;
    const lateMs = world.clock.now().getTime() - NOW.getTime();
    const moments = [-60, -10, 0, 300].map((seconds) => [
      at(seconds),
      new Date(Date.parse(at(seconds)) + lateMs).toISOString(),
    ]);
    const said: ReadonlyArray<readonly string[]> = [
      [PROVIDER, this.entityId],
      [AUDIENCE, `${world.issuer}/saml/v2/sp/${providerId}/metadata`],
      [RECIPIENT, `${world.issuer}${CALLBACK}/${providerId}`],
      [`"${REQUEST_ID}"`, `"${requestId}"`],
      ...moments,
    ];
    return said.reduce((text, [from = '', to = '']) => text.replaceAll(from, to), xml);
  }

  /** The cross-site POST, without a cookie. */
  async post(
    document: string | Buffer,
    relayState: string,
    providerId: string,
  ): Promise<{ status: number; location?: string | undefined }> {
    const fields = { SAMLResponse: Buffer.from(document).toString('base64'), RelayState: relayState };
    return this.world.browser().request('POST', `${CALLBACK}/${providerId}`, fields);
  }

  /** Posted, and on as the browser that left: what it gets. */
  async comeBack(away: Away, document: string | Buffer): Promise<number> {
    const { status, location } = await this.post(document, away.state, away.providerId);
    if (status !== 303 || location === undefined) return status;
    return statusOf(away.party.browser.request('GET', location));
  }
}

export async function statusOf(reply: Promise<{ readonly status: number }>): Promise<number> {
  // A browser of these tests takes no 5xx for an answer.
  return reply.then(
    ({ status }) => status,
    (error: Error) => Number(/answered (\d+)/.exec(error.message)?.[1]),
  );
}
