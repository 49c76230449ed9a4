import { paths, type ServicePath } from '../org/instance/paths.js';
import type { ClaimedMail } from '../user/outbox/outbox-queue.js';
import { passkeyLinkOf } from '../user/passkey-link.js';
import type { UserEntry } from '../user/user-directory.js';

/**
 * The target of a mail's button: below the public URL, whatever host a request named (LOG-020). Manuals and other
 * services know these paths and their queries.
 */
export function linkOf(publicUrl: string, { kind, details }: ClaimedMail, user: UserEntry, code: string): string {
  const { authRequestId = '' } = details;
  const request: Query = authRequestId === '' ? {} : { authRequestID: authRequestId };
  const person: Query = { userID: user.id, code, orgID: user.orgId };
  switch (kind) {
    case 'init':
    case 'inviteUser': {
      const { id: userID, preferredLoginName: loginname, orgId: orgID } = user;
      const passwordset = String(user.passwordChangedAt !== null);
      return url(publicUrl, paths.userInit, { userID, loginname, code, orgID, passwordset, ...request });
    }
    case 'verifyEmail':
      if (details.isNewEmail === true) return url(publicUrl, paths.accountContact, { code });
      return url(publicUrl, paths.mailVerification, { ...person, ...request });
    case 'passwordReset':
      return url(publicUrl, paths.passwordInit, { ...person, loginname: user.preferredLoginName, ...request });
    case 'passwordlessRegistration':
      return passkeyLinkOf(publicUrl, { userId: user.id, orgId: user.orgId, code });
    // A pending sign-in continues in the browser where it began, in which the code is typed.
    case 'verifyEmailOtp':
      return url(publicUrl, paths.hub, request);
    case 'securityNotice':
      return details.change === 'accountClosed'
        ? url(publicUrl, paths.accountTakeBack, person)
        : url(publicUrl, paths.account, {});
    case 'passwordChange':
      return url(publicUrl, paths.account, {});
    case 'domainClaimed':
    case 'registrationNotice':
    case 'webhookNotice':
      return url(publicUrl, paths.hub, { orgID: user.orgId });
  }
}

type Query = Readonly<Record<string, string>>;

function url(publicUrl: string, path: ServicePath, query: Query): string {
  const search = new URLSearchParams(query).toString();
  return `${publicUrl}${path}${search === '' ? '' : '?'}${search}`;
}
