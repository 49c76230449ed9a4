import type { Use } from '../../../management/org/affected-people.js';
import type { Json } from '../../kit/inner-calls.js';
import type { Effects, FieldsChange } from '../kind.js';
import { amount, shareOf } from './sentences.js';

/* What changes of projects, applications and providers do to those who use them. */

function endsUse({ action, before, after }: FieldsChange): boolean {
  return action === 'remove' || (before['active'] === true && after['active'] === false);
}

export const providerEffects: Effects = async (change, ground) => {
  if (!endsUse(change)) return [];
  const share = await ground.facts.people.linkedWith(ground.tx, change.ids['idpId'] as string);
  if (share?.total === 0) return [];
  return [
    `${change.action === 'remove' ? 'Removes' : 'Switches off'} a provider with which ${amount(share?.total ?? 0, 'user')} sign in: ${shareOf(share, 'has no other way to sign in', 'have no other way to sign in')}.`,
  ];
};

export const roleEffects: Effects = async ({ action, key }, ground, { ids }) => {
  if (action !== 'remove') return [];
  const share = await ground.facts.people.withRole(ground.tx, ids['projectId'] as string, key);
  if (!share || share.total === 0) return [];
  return [`Takes the role away from ${holders(share)}.`];
};

export const grantEffects: Effects = async (change, ground, { ids }) => {
  const { people } = ground.facts;
  const grantId = (change.ids['grantId'] ?? ids['grantId']) as string | undefined;
  const isSmaller = ((change.before['roleKeys'] ?? []) as string[]).some(
    (role) => !((change.after['roleKeys'] ?? []) as string[]).includes(role),
  );
  if (grantId === undefined || (!endsUse(change) && !isSmaller)) return [];
  const share = await people.throughGrant(ground.tx, grantId);
  if (!share || share.total === 0) return [];
  return [`Concerns ${holders(share)} in ${change.key}, who lose roles with it.`];
};

export const projectEffects: Effects = async (change, ground) => {
  const { people } = ground.facts;
  const projectId = change.ids['projectId'] as string | undefined;
  if (projectId === undefined) return [];
  const found: string[] = [];
  const share = await people.inProject(ground.tx, projectId);
  if (endsUse(change))
    found.push(
      change.action === 'remove'
        ? `Removes the project with its applications, and the roles of ${holders(share)}.`
        : `Nobody signs in to its applications any more; ${holders(share)} hold roles there.`,
    );
  if (change.before['projectRoleCheck'] !== true && change.after['projectRoleCheck'] === true)
    found.push(`Only who has a role may sign in to its applications: ${holders(share)} hold one.`);
  return found;
};

export const applicationEffects: Effects = async (change, ground) => {
  const appId = change.ids['appId'] as string | undefined;
  if (appId === undefined) return [];
  const found: string[] = [];
  const use = useText(await ground.facts.people.useOf(ground.tx, appId));
  if (endsUse(change)) found.push(`Nobody signs in to ${change.key} any more: it was ${use}.`);
  for (const uri of takenAway(change, 'redirectUris')) {
    const ofUri = useText(await ground.facts.people.useOf(ground.tx, appId, uri));
    found.push(`Removes the redirect URI ${uri} of ${change.key}, ${ofUri}.`);
  }
  for (const type of takenAway(change, 'grantTypes'))
    found.push(`Takes the grant ${type} away from ${change.key}, which was ${use}.`);
  if (oidc(change.before)['authMethodType'] !== oidc(change.after)['authMethodType'] && change.action === 'change')
    found.push(`${change.key} must authenticate in another way from then on; it was ${use}.`);
  return found;
};

export const orgEffects: Effects = async (change, ground) => {
  const orgId = change.ids['orgId'] as string | undefined;
  if (orgId === undefined || !endsUse(change)) return [];
  const share = await ground.facts.people.ofOrg(ground.tx, orgId);
  const people = share ? amount(share.total, 'active user') : 'its users';
  return [
    change.action === 'remove'
      ? `Removes the organization with ${people} and all that belongs to it, for good.`
      : `Nobody of the organization can sign in any more: ${people}.`,
  ];
};

/** `used 31 times this week` */
function useText({ lastDay, ofWeek }: Use): string {
  if (ofWeek > 0) return `used ${amount(ofWeek, 'time')} this week`;
  return lastDay === undefined ? 'not used in the last three months' : `last used on ${lastDay}`;
}

function holders(share: { readonly counted: number; readonly total: number } | undefined): string {
  if (!share) return 'an unknown number of users';
  const users = amount(share.total - share.counted, 'user');
  return share.counted === 0 ? users : `${users} and ${amount(share.counted, 'group')}`;
}

function oidc(fields: Json): Json {
  return (fields['oidc'] ?? {}) as Json;
}

function takenAway({ action, before, after }: FieldsChange, name: string): string[] {
  if (action !== 'change') return [];
  const [was, is] = [oidc(before)[name] ?? [], oidc(after)[name] ?? []] as [string[], string[]];
  return was.filter((one) => !is.includes(one));
}
