import type { ListFilter } from '../../../foundation/database/condition.js';
import { invalidFields } from '../../../foundation/error/domain-error.js';
import type { FirstManager, NewOrgWithManagers } from '../../../management/org/org-setup.js';
import { byDomain, byId, byName, byState, type OrgEntry } from '../../../org/org-directory.js';
import { toDetailsV2 } from '../kit/object.dto.js';
import { toNewcomer } from '../user/user.mapping.js';
import type {
  AddOrganizationAdminV2,
  AddOrganizationRequestV2,
  OrganizationSearchQueryV2,
  OrganizationV2,
} from './organization.dto.js';

export function toOrganization(entry: OrgEntry): OrganizationV2 {
  const { id, state, name, primaryDomain } = entry;
  return { id, details: toDetailsV2(entry, id), state, name, primaryDomain };
}

/** @throws DomainError InvalidArgument */
export function toNewOrganization({
  name,
  admins,
  organizationId,
  orgId,
}: AddOrganizationRequestV2): NewOrgWithManagers {
  const id = organizationId || orgId || undefined;
  return { id, name, managers: admins.map((admin, index) => toManager(admin, `admins[${index}]`, id)) };
}

function toManager(
  { userId, human, roles }: AddOrganizationAdminV2,
  at: string,
  orgId: string | undefined,
): FirstManager {
  if (userId !== undefined) return { userId, roles };
  if (!human) throw invalidFields([{ field: at, description: 'must contain either userId or human' }]);
  const { organization } = human;
  if (organization?.orgDomain !== undefined || (organization?.orgId !== undefined && organization.orgId !== orgId)) {
    const description = 'must not be another organization than the new one';
    throw invalidFields([{ field: `${at}.human.organization`, description }]);
  }
  return { human: toNewcomer(human, human, `${at}.human.`), roles };
}

/** @param defaultId the id of the default organization */
export function toOrganizationConditions(
  queries: readonly OrganizationSearchQueryV2[],
  defaultId: string,
): ListFilter[] {
  return queries.flatMap(({ nameQuery, domainQuery, stateQuery, idQuery, defaultQuery }) => [
    ...(nameQuery ? [byName(nameQuery.method, nameQuery.name)] : []),
    ...(domainQuery ? [byDomain(domainQuery.method, domainQuery.domain)] : []),
    ...(stateQuery ? [byState(stateQuery.state)] : []),
    ...(idQuery ? [byId(idQuery.id)] : []),
    ...(defaultQuery ? [byId(defaultId)] : []),
  ]);
}
