import { Secret } from '../../foundation/config/secret.js';
import type { ListFilter } from '../../foundation/database/condition.js';
import type { NewOrgWithOwner } from '../../management/org/org-setup.js';
import { byDomain, byId, byName, byState, type OrgEntry } from '../../org/org-directory.js';
import { toDetails } from '../kit/wire/details.dto.js';
import type { Org, OrgQuery, SetUpOrgRequest } from './org.dto.js';

export function toOrg(entry: OrgEntry): Org {
  const { id, name, state, primaryDomain } = entry;
  return { id, details: toDetails(entry, id), state, name, primaryDomain };
}

export function toConditions(queries: readonly OrgQuery[]): ListFilter[] {
  return queries.flatMap(({ nameQuery, domainQuery, stateQuery, idQuery }) => [
    ...(nameQuery ? [byName(nameQuery.method, nameQuery.name)] : []),
    ...(domainQuery ? [byDomain(domainQuery.method, domainQuery.domain)] : []),
    ...(stateQuery ? [byState(stateQuery.state)] : []),
    ...(idQuery ? [byId(idQuery.id)] : []),
  ]);
}

export function toNewOrg({ org, human, roles }: SetUpOrgRequest): NewOrgWithOwner {
  const { userName, profile, email, phone, password } = human;
  return {
    ...org,
    roles,
    password: password === '' ? undefined : new Secret(password),
    human: {
      userName,
      profile,
      email: email.email,
      emailVerified: email.isEmailVerified,
      ...(phone ? { phone: phone.phone, phoneVerified: phone.isPhoneVerified } : {}),
    },
  };
}
