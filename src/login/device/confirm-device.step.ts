import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import { OrgService } from '../../org/org.service.js';
import type { DeviceDecision } from '../../page/device-confirm.page.js';
import type { LoginPage } from '../../page/render.js';
import { Consents } from '../../project/client/consents.js';
import { DeviceAuthorizations } from '../../token/device/device-authorizations.js';
import { AdministrationOffers } from '../administration-offers.js';
import { again, type LoginStep, type Retry, type StepOutcome } from '../login-step.js';
import { isAsShown, shownIn } from '../step/shown-application.js';
import type { Visit } from '../visit.js';

/**
 * RFC 8628 §3.3: shows which device wants what, and takes the decision. Asked every time, whatever the application is.
 */
@Injectable()
export class ConfirmDeviceStep implements LoginStep<never> {
  readonly step = 'confirm-device';
  readonly path = paths.deviceConfirm;
  readonly reach = 'due';

  constructor(
    private readonly devices: DeviceAuthorizations,
    private readonly orgs: OrgService,
    private readonly consents: Consents,
    private readonly offers: AdministrationOffers,
  ) {}

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | undefined> {
    const { session, request, client, accounts, now } = visit;
    const { device } = request;
    if (!session || !device) return undefined;
    const owner = await this.orgs.findActive(client.project.orgId);
    return {
      page: 'deviceConfirm',
      form: { ...visit.formTo(this.path), fields: shownIn(visit) },
      clientName: client.name,
      ownerName: owner?.name ?? '',
      scopes: request.scopes,
      resources: request.resources ?? [],
      administration: await this.offers.of(visit, session),
      userCode: device.userCode,
      ageSeconds: now.getTime() / 1_000 - device.requestedAt,
      network: shown(device.network),
      person: { displayName: session.displayName, loginName: session.loginName },
      otherAccountHref: accounts.length > 1 ? paths.accounts : paths.loginName,
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const decision = form.find('decision') as DeviceDecision | undefined;
    const { session, request, client } = visit;
    if ((decision !== 'continue' && decision !== 'cancel') || !session || !request.device)
      return again({ reason: 'formStale' });
    if (decision === 'continue' && !isAsShown(visit, form)) return again({ reason: 'formStale' });
    const decidedBy = { client, session, typedAt: request.createdAt };
    if (decision === 'continue') await this.consents.keep(session.userId, client, request);
    await this.devices.decide(request.device, decision === 'continue' ? 'approved' : 'denied', decidedBy);
    return { kind: 'ended', page: { page: 'done', what: decision === 'continue' ? 'deviceDone' : 'deviceDenied' } };
  }
}

/** Shows only the first half of an IPv6 address, that of its network: the other one is not known. */
function shown(network: string): string {
  return network.includes(':') ? `${network}::/64` : network;
}
