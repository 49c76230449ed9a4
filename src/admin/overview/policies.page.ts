import { Injectable } from '@nestjs/common';
import { PolicyService, settingsOf } from '../../org/policy/policy.service.js';
import type { PolicyKind } from '../../org/policy/policy-kind.js';
import type { OverviewPoliciesProps, PolicyBlock, SettingValue } from '../../page/overview/overview-facts.js';
import type { LoginPage } from '../../page/render.js';
import { pageNotFound } from '../../visit/visit.errors.js';
import { DocsLinks } from '../kit/docs-link.js';
import type { OverviewVisit } from './overview-visit.js';

/** The kinds, in the order of the page, with the operations that read them. */
const SHOWN = [
  ['login', 'GetLoginPolicy'],
  ['lockout', 'GetLockoutPolicy'],
  ['passwordComplexity', 'GetPasswordComplexityPolicy'],
  ['passwordAge', 'GetPasswordAgePolicy'],
  ['domain', 'GetDomainPolicy'],
  ['selfService', 'GetSelfServicePolicy'],
  ['notification', 'GetNotificationPolicy'],
  ['privacy', 'GetPrivacyPolicy'],
  ['label', 'GetLabelPolicy'],
] as const satisfies ReadonlyArray<readonly [kind: PolicyKind, operationId: string]>;

/** The policies that apply, as sign-ins know them, with what an organization has of its own. */
@Injectable()
export class PoliciesPage {
  constructor(
    private readonly policies: PolicyService,
    private readonly docs: DocsLinks,
  ) {}

  /** @throws DomainError NotFound `visit.page_not_found` */
  async page(visit: OverviewVisit): Promise<LoginPage> {
    const { actor, place, frame } = visit;
    const { orgId } = place;
    const mayRead =
      orgId === undefined ? actor.rights.mayEverywhere('iam.policy.read') : actor.rights.may('policy.read', { orgId });
    if (!mayRead) throw pageNotFound();
    const policies: OverviewPoliciesProps['policies'] = await Promise.all(
      SHOWN.map(async ([kind, operationId]) => this.block(visit, kind, operationId)),
    );
    return { page: 'overviewPolicies', frame, policies };
  }

  private async block(
    { place, instanceId }: OverviewVisit,
    kind: (typeof SHOWN)[number][0],
    operation: string,
  ): Promise<PolicyBlock> {
    const { orgId } = place;
    const ofInstance = await this.policies.effective(kind, instanceId);
    const policy = orgId === undefined ? ofInstance : await this.policies.effective(kind, orgId);
    const defaults = new Map(Object.entries(settingsOf(ofInstance)));
    const settings = Object.entries(settingsOf(policy)).flatMap(([name, given]) => {
      const value = toValue(given);
      const instanceValue = toValue(defaults.get(name));
      if (value === undefined) return [];
      return [{ name, value, ...(instanceValue === value ? {} : { instanceValue }) }];
    });
    const operationId = orgId === undefined ? operation : `${operation}OfOrg`;
    return {
      kind,
      isOwn: policy.ownerId !== instanceId,
      // What differs is what one looks for.
      settings: settings.toSorted((one, other) => Number('instanceValue' in other) - Number('instanceValue' in one)),
      docs: this.docs.link(operationId, {}, orgId),
    };
  }
}

/** Undefined for what has no words, such as an image. */
function toValue(value: unknown): SettingValue | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(', ') : undefined;
}
