import type { IssuerConfig } from '../../../foundation/config/config.js';
import type { Instance } from '../../../org/instance/instance.entity.js';
import { textFits } from '../../kit/wire/known-list.js';
import type { CustomDomainFilterV2, CustomDomainV2 } from './instance.dto.js';

/** The host of the public address, which is the only domain. */
export function customDomainOf({ id, creationDate }: Instance, { publicUrl }: IssuerConfig): CustomDomainV2 {
  return { instanceId: id, creationDate, domain: new URL(publicUrl).hostname, primary: true, generated: false };
}

export function hasFilters(domain: CustomDomainV2, filters: readonly CustomDomainFilterV2[]): boolean {
  return filters.every(
    ({ domainFilter, generatedFilter = domain.generated, primaryFilter = domain.primary }) =>
      (!domainFilter || textFits(domainFilter.method, domain.domain, domainFilter.domain)) &&
      generatedFilter === domain.generated &&
      primaryFilter === domain.primary,
  );
}
