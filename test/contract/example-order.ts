import { adminRoutesOf, type Document, type Route } from './openapi-document.js';

/** What must not be there before, sent once more when it has been removed. */
const AGAIN: ReadonlyMap<string, string> = new Map([
  ['RemoveMultiFactorFromLoginPolicy', 'AddMultiFactorToLoginPolicy'],
  ['RemoveMultiFactorFromLoginPolicyOfOrg', 'AddMultiFactorToLoginPolicyOfOrg'],
]);
/** Two operations end the same, each of which needs it: what is named second begins it once more. */
const BEFORE: ReadonlyMap<string, string> = new Map([
  ['BulkRemoveUserGrant', 'AddUserGrant'],
  ['RemoveUserGrant', 'AddUserGrant'],
  ['RemoveSigningKey', 'CreateSigningKey'],
  ['DeactivateSMTPConfig', 'ActivateSMTPConfig'],
  ['DeactivateEmailProvider', 'ActivateEmailProvider'],
]);

/**
 * First what makes things, then what changes them, then what reads them, then what stops them and lets them go on; what
 * removes them in the end.
 */
const PHASES = [
  /^(Add(?!AppKey|IDPTo)|SetUp|Create(?!Invite|ApplicationKey)|Import|Generate)/,
  /^SetHuman(Initial)?Password$/,
  /^(Regenerate|Send)/,
  /^(Set(?!Human|Up)|Update|BulkSet|BulkAdd|Validate|Activate(?!\w+V2)|ActivateWebKeyV2|PasswordReset|Resend|Retry|Replay|Cancel|CreateInvite|Register|Verify|HumanMFA|Apply)/,
  /^(Add(AppKey|IDPTo)|CreateApplicationKey)/,
  /^(Get|List|Is|Preview|Explain|Test|Export|Pull|Plan)/,
  /^Deactivate/,
  /^(Reactivate|Activate(?!WebKey)\w+V2$)/,
  /^Lock/,
  /^Unlock/,
  /^(End|Revoke)/,
  /^RemoveIDPFrom/,
  /^(Reset|Remove(?!IDPFrom)|Delete|BulkRemove)/,
];
const LAST = PHASES.length - 1;

export const idOf = ({ operation }: Route): string => operation.operationId;

/** As they are in the document, but what removes the other way round: what was made last goes first. */
export function examplesInOrder(document: Document): Route[] {
  const routes = adminRoutesOf(document);
  const tags = document.tags.map(({ name }) => name);
  const rank = (route: Route): number => tags.indexOf(route.operation.tags[0]!);
  const sorted = PHASES.flatMap((pattern, phase) => {
    const ofPhase = routes.filter((route) => pattern.test(idOf(route))).sort((one, other) => rank(one) - rank(other));
    return phase === LAST ? ofPhase.reverse() : ofPhase;
  });
  const named = (id: string | undefined): Route[] => routes.filter((route) => idOf(route) === id);
  return sorted.flatMap((route) => [...named(BEFORE.get(idOf(route))), route, ...named(AGAIN.get(idOf(route)))]);
}
