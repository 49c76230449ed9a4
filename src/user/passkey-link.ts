import { paths } from '../org/instance/paths.js';

/** The link by which a user adds a passkey. Opening it spends nothing. Manuals know its path and its query. */
export function passkeyLinkOf(
  publicUrl: string,
  { userId, orgId, code }: { readonly userId: string; readonly orgId: string; readonly code: string },
): string {
  const query = new URLSearchParams({ userID: userId, orgID: orgId, code });
  return `${publicUrl}${paths.passkeyLink}?${query.toString()}`;
}
