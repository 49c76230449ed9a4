import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import { OrgService } from '../../org/org.service.js';
import type { ConsentDecision, ConsentProps, Stranger } from '../../page/consent.page.js';
import type { LoginPage } from '../../page/render.js';
import { ClientService } from '../../project/client/client.service.js';
import { Consents } from '../../project/client/consents.js';
import { isLoopbackUri } from '../../project/client/metadata/client-metadata.js';
import { withConsent } from '../../session/auth-request/auth-request.js';
import { AdministrationOffers } from '../administration-offers.js';
import { again, type LoginStep, learned, type Retry, type StepOutcome } from '../login-step.js';
import type { Visit } from '../visit.js';
import { isAsShown, shownIn } from './shown-application.js';

/** OIDC Core §3.1.2.4: shows who asks for what, and asks for consent. What is allowed is remembered. */
@Injectable()
export class ConsentStep implements LoginStep<never> {
  readonly step = 'consent';
  readonly path = paths.consent;
  readonly reach = 'due';

  constructor(
    private readonly clients: ClientService,
    private readonly consents: Consents,
    private readonly offers: AdministrationOffers,
    private readonly orgs: OrgService,
  ) {}

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | undefined> {
    if (!visit.session) return undefined;
    const { displayName, loginName } = visit.session;
    return {
      page: 'consent',
      form: { ...visit.formTo(this.path), fields: shownIn(visit) },
      clientName: visit.clientName,
      scopes: [...visit.request.scopes, ...(visit.request.claimScopes ?? [])],
      resources: visit.request.resources ?? [],
      administration: await this.offers.of(visit, visit.session),
      stranger: strangerIn(visit),
      owner: await this.ownerOf(visit),
      person: { displayName, loginName },
      errors: retry?.errors,
    };
  }

  private async ownerOf({ client, request }: Visit): Promise<ConsentProps['owner']> {
    if (client.describesItself) return undefined;
    const owner = await this.orgs.findActive(client.project.orgId);
    return owner && { name: owner.name, redirectHost: hostOf(request.redirectUri) };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const decision = form.find('decision') as ConsentDecision | undefined;
    if (decision === 'cancel') return { kind: 'declined' };
    if (decision !== 'continue' || !visit.session || !isAsShown(visit, form)) return again({ reason: 'formStale' });
    await this.clients.keepConsented(visit.client);
    if (visit.client.acceptsRedirectUri(visit.request.redirectUri))
      await this.consents.keep(visit.session.userId, visit.client, visit.request);
    return learned(withConsent(visit.request, visit.session.userId));
  }
}

/**
 * The facts about a client that describes itself which do not depend on its word: where its document is, and where the
 * answer is sent.
 */
function strangerIn({ client, request }: Visit): Stranger | undefined {
  if (!client.describesItself) return undefined;
  const { policyUri, tosUri } = client.settings.about ?? {};
  return {
    host: client.settings.origin === 'document' ? new URL(client.id).host : undefined,
    redirectHost: hostOf(request.redirectUri),
    isOnMachine: client.redirectUris.every(isLoopbackUri),
    policyUri,
    tosUri,
  };
}

/** The host of an address; of a private scheme, the scheme itself. */
function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri);
  return /^https?:$/.test(protocol) ? host : protocol;
}
