import { durationIn } from '../foundation/language/duration-text.js';
import type { TemplateValues } from '../text/message-catalogue/message-text.js';
import type { ClaimedMail } from '../user/outbox/outbox-queue.js';
import type { UserEntry } from '../user/user-directory.js';

export interface MailFacts {
  readonly user: UserEntry;
  readonly code: string;
  readonly url: string;
  readonly publicUrl: string;
  readonly language: string;
  /** Name of the organization, or of the instance. */
  readonly brand: string;
}

/** The values of the template fields in a mail. */
export function valuesOf(
  { details, createdAt, expiresAt }: ClaimedMail,
  { user, code, url, publicUrl, language, brand }: MailFacts,
): TemplateValues {
  const lifetimeSeconds = expiresAt === null ? 0 : Math.round((expiresAt.getTime() - createdAt.getTime()) / 1000);
  return {
    Code: code,
    OTP: code,
    VerifyURL: url,
    Expiry: durationIn(language, lifetimeSeconds),
    About: details.about ?? '',
    Domain: details.domain ?? new URL(publicUrl).hostname,
    TempUsername: details.tempUserName ?? '',
    Username: details.formerUserName ?? user.userName,
    ApplicationName: details.applicationName || brand,
    UserName: user.userName,
    FirstName: user.firstName,
    LastName: user.lastName,
    NickName: user.nickName,
    DisplayName: user.displayName,
    LastEmail: user.email,
    VerifiedEmail: user.emailVerified ? user.email : '',
    LastPhone: user.phone,
    VerifiedPhone: user.phoneVerified ? user.phone : '',
    PreferredLoginName: user.preferredLoginName,
    LoginName: user.preferredLoginName,
    LoginNames: user.loginNames.join(', '),
    UserID: user.id,
    OrgID: user.orgId,
    ChangeDate: user.changeDate.toISOString(),
    CreationDate: user.creationDate.toISOString(),
  };
}
