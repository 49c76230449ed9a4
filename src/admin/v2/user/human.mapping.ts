import { Secret } from '../../../foundation/config/secret.js';
import { definedValues } from '../../../foundation/database/changed-values.js';
import { type FieldViolation, invalidFields } from '../../../foundation/error/domain-error.js';
import type { Newcomer } from '../../../management/user/newcomers.js';
import type { AddHumanUserRequestV2 } from './human.dto.js';

/**
 * @param at where the message is in the request, with a dot behind it
 * @throws DomainError InvalidArgument for what is not supported
 */
export function toNewcomerV2(request: AddHumanUserRequestV2, at = ''): Newcomer {
  const { userId, username, profile, email, phone, password, hashedPassword, totpSecret } = request;
  const refused = violationsOf(request).map(({ field, description }) => ({ field: at + field, description }));
  if (refused.length > 0) throw invalidFields(refused);
  const { givenName, familyName, ...optional } = profile;
  return {
    ...(userId === undefined || userId === '' ? {} : { id: userId }),
    userName: username ?? email.email,
    profile: { firstName: givenName, lastName: familyName, ...definedValues(optional) },
    email: email.email,
    emailVerified: email.isVerified === true,
    ...(phone === undefined || phone.phone === ''
      ? {}
      : { phone: phone.phone, phoneVerified: phone.isVerified === true }),
    passwordChangeRequired: (password ?? hashedPassword)?.changeRequired ?? false,
    ...(password ? { password: { secret: new Secret(password.password), field: `${at}password.password` } } : {}),
    ...(hashedPassword ? { hashedPassword: hashedPassword.hash } : {}),
    ...(totpSecret === undefined || totpSecret === '' ? {} : { totpSeed: new Secret(totpSecret) }),
    providers: request.idpLinks.map((link) => ({
      idpId: link.idpId,
      externalUserId: link.userId,
      displayName: link.userName,
    })),
    metadata: request.metadata,
  };
}

function violationsOf({ email, phone }: AddHumanUserRequestV2): FieldViolation[] {
  return [
    ...(email.sendCode?.urlTemplate === undefined || email.sendCode.urlTemplate === ''
      ? []
      : [
          {
            field: 'email.sendCode.urlTemplate',
            description: 'is not supported: links lead to the pages of the service',
          },
        ]),
    // Who types the code is taken for the owner of the mailbox (LOG-065).
    ...(email.returnCode
      ? [{ field: 'email.returnCode', description: 'is not supported: codes are sent to the mailbox alone' }]
      : []),
    ...(phone?.sendCode ? [{ field: 'phone.sendCode', description: 'is not supported: no SMS are sent' }] : []),
    ...(phone?.returnCode ? [{ field: 'phone.returnCode', description: 'is not supported: no SMS are sent' }] : []),
  ];
}
