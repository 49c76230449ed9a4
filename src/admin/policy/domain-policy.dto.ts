import { saidIn } from '../kit/wire/declared-field.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Flag, Named, Part, Text } from '../kit/wire/fields.js';

const orgId = { min: 1, max: 200, description: 'ID of the organization.', example: EXAMPLE.org };
const mustBeDomain = {
  description:
    'Whether login names are always `username@domain`, with user names unique in their organization instead of the instance. Existing users are updated.',
  example: false,
};
const validate = { description: 'Whether an organization must validate its domains.', example: false };
const sender = { description: 'Whether e-mails may only be sent from a domain of the instance.', example: false };

@Named('OrgPolicyRequest')
export class OrgPolicyRequest {
  @Text(1, orgId)
  readonly orgId!: string;
}

@Named('UpdateDomainPolicyRequest')
export class UpdateDomainPolicyRequest {
  @Flag(1, mustBeDomain)
  readonly userLoginMustBeDomain!: boolean;

  @Flag(2, validate)
  readonly validateOrgDomains!: boolean;

  @Flag(3, sender)
  readonly smtpSenderAddressMatchesInstanceDomain!: boolean;
}

@Named('CustomDomainPolicyRequest')
export class CustomDomainPolicyRequest {
  @Text(1, orgId)
  readonly orgId!: string;

  @Flag(2, mustBeDomain)
  readonly userLoginMustBeDomain!: boolean;

  @Flag(3, validate)
  readonly validateOrgDomains!: boolean;

  @Flag(4, sender)
  readonly smtpSenderAddressMatchesInstanceDomain!: boolean;
}

const domainSaid = saidIn(UpdateDomainPolicyRequest);

@Named('DomainPolicyDto')
export class DomainPolicyDto {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Flag(2, domainSaid('userLoginMustBeDomain'))
  readonly userLoginMustBeDomain!: boolean;

  @Flag(3, { description: "Whether this is the instance's policy." })
  readonly isDefault!: boolean;

  @Flag(4, domainSaid('validateOrgDomains'))
  readonly validateOrgDomains!: boolean;

  @Flag(5, domainSaid('smtpSenderAddressMatchesInstanceDomain'))
  readonly smtpSenderAddressMatchesInstanceDomain!: boolean;
}

@Named('DomainPolicyResponse')
export class DomainPolicyResponse {
  @Part(1, () => DomainPolicyDto)
  readonly policy!: DomainPolicyDto;

  @Flag(2, { deprecated: true, description: 'Same as in the policy.' })
  readonly isDefault!: boolean;
}

@Named('UpdateOrgIamPolicyRequest')
export class UpdateOrgIamPolicyRequest {
  @Flag(1, mustBeDomain)
  readonly userLoginMustBeDomain!: boolean;
}

@Named('CustomOrgIamPolicyRequest')
export class CustomOrgIamPolicyRequest {
  @Text(1, orgId)
  readonly orgId!: string;

  @Flag(2, mustBeDomain)
  readonly userLoginMustBeDomain!: boolean;
}

const orgIamSaid = saidIn(UpdateOrgIamPolicyRequest);

@Named('OrgIamPolicyDto')
export class OrgIamPolicyDto {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Flag(2, orgIamSaid('userLoginMustBeDomain'))
  readonly userLoginMustBeDomain!: boolean;

  @Flag(3, { description: "Whether this is the instance's policy." })
  readonly isDefault!: boolean;
}

@Named('OrgIamPolicyResponse')
export class OrgIamPolicyResponse {
  @Part(1, () => OrgIamPolicyDto)
  readonly policy!: OrgIamPolicyDto;

  @Flag(2, { deprecated: true, description: 'Same as in the policy.' })
  readonly isDefault!: boolean;
}
