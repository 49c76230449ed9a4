import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { PathKey } from '../../src/foundation/http/path-key.js';
import { IDP_IN_PATH } from '../../src/idp/in-path.js';
import { parseDomain, parseForeignDomain } from '../../src/org/domain-name.js';
import { METADATA_IN_PATH, ORG_IN_PATH } from '../../src/org/in-path.js';
import { APP_IN_PATH, APP_KEY_IN_PATH, CLIENT_ID_IN_PATH } from '../../src/project/client/in-path.js';
import { PROJECT_GRANT_IN_PATH, PROJECT_IN_PATH, ROLE_IN_PATH } from '../../src/project/in-path.js';
import { USER_GRANT_IN_PATH } from '../../src/project/user-grant/in-path.js';
import { GROUP_GRANT_IN_PATH, GROUP_IN_PATH } from '../../src/user/group/in-path.js';
import { MACHINE_KEY_IN_PATH, USER_IN_PATH } from '../../src/user/in-path.js';

const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, object>;
};
const templates = Object.keys(paths).map((path) => path.slice(1).split('/'));

/** Callers choose them: over the API, in a document to import, or in a registration. */
const CHOSEN: ReadonlyArray<readonly [where: RegExp, key: PathKey]> = [
  [/(\/users(\/human)?|\/members|^v2\/administrators|^v2\/features\/user)\/\{\w+\}$/, USER_IN_PATH],
  [/\/metadata\/\{key\}$/, METADATA_IN_PATH],
  [/\/users\/\{userId\}\/keys\/\{keyId\}$/, MACHINE_KEY_IN_PATH],
  [/\/groups\/\{\w+\}$/, GROUP_IN_PATH],
  [/\/groups\/\{groupId\}\/grants\/\{grantId\}$/, GROUP_GRANT_IN_PATH],
  [/\/users\/\{userId\}\/grants\/\{grantId\}$|^v2\/authorizations\/\{id\}$/, USER_GRANT_IN_PATH],
  [/^(admin\/v1\/orgs(\/default)?\/\{orgId\}|assets\/\{ownerId\}|v2\/.*\/\{(grantedO|o)rganizationId\})$/, ORG_IN_PATH],
  [/\/(granted_)?projects\/\{\w+\}$/, PROJECT_IN_PATH],
  [/\/(granted_)?projects\/\{projectId\}\/grants\/\{grantId\}$/, PROJECT_GRANT_IN_PATH],
  [/\/roles\/\{roleKey\}$/, ROLE_IN_PATH],
  [/\/apps\/\{appId\}$|\/applications\/\{applicationId\}$/, APP_IN_PATH],
  [/\/(apps\/\{appId\}\/|applications\/\{applicationId\}\/|application_)keys\/\{keyId\}$/, APP_KEY_IN_PATH],
  [/\/idps\/(\w+\/)?\{\w+\}$|\/links\/\{idpId\}$/, IDP_IN_PATH],
  [/^oauth\/v2\/register\/\{clientId\}$/, CLIENT_ID_IN_PATH],
];

/** The service makes them, from digits, or random and longer than any word. */
const MADE_HERE = [
  /^admin\/v1\/(jobs|keys|logout_notices|mails|(email\/)?smtp|email)\/\{id\}$/,
  /^v2\/web_keys\/\{id\}$/,
  /^v2\/instances\/\{instanceId\}$/,
  /\/webhooks\/\{webhookId\}(\/deliveries\/\{deliveryId\})?$/,
  /\/parked\/\{eventId\}$/,
  /\/configuration\/applied\/\{position\}$/,
  /\/(auth_factors\/u2f|passwordless|pats|registration_tokens)\/\{tokenId\}$/,
  /^v2\/users\/\{userId\}\/(passkeys\/\{passkeyId\}|u2f\/\{u2fId\})$/,
  /\/sessions\/\{sessionId\}$/,
  /\/tokens\/refresh\/\{id\}$/,
];

/** One of a list, of a form that no word has, or chosen by somebody else: no word beside them could be meant. */
const OTHERS = [
  /\/text\/.*\{(language|kind)\}$/,
  /\/secretgenerators\/\{generatorType\}$/,
  /\/languages\/default\/\{language\}$/,
  /\/(multi|second)_factors\/\{type\}$/,
  /^assets\/.*\{image\}$/,
  /\/event_listeners\/\{extension\}(\/\{listener\})?$/,
  /\/domains\/\{domain\}$/,
  /\/(idps|links)\/\{idpId\}\/\{linkedUserId\}$/,
  /\/(custom|trusted)_domains\/\{\w+\}$/,
];
/** The words that are refused there by the form of the value: an enumeration, or a name with a dot in it. */
const REFUSED_BY_FORM: Readonly<Record<string, readonly string[]>> = {
  '{type}': ['_search'],
  '{generatorType}': ['_search'],
  '{domain}': ['_search'],
  // Nothing is done with them.
  '{customDomain}': ['_search'],
  '{trustedDomain}': ['_search'],
};

const isParameter = (segment: string | undefined): boolean => segment?.startsWith('{') === true;

/** What may stand for the last parameter of a beginning, so that a path could be read as another one. */
function wordsBeside(beginning: string): string[] {
  const place = beginning.split('/').length - 1;
  const own = templates.filter((path) => path.slice(0, place + 1).join('/') === beginning);
  const words = own.flatMap((path) =>
    templates
      .filter(
        (other) =>
          other.length === path.length &&
          !isParameter(other[place]) &&
          other.every(
            (segment, index) =>
              index === place || segment === path[index] || isParameter(segment) || isParameter(path[index]),
          ),
      )
      .map((other) => other[place]!),
  );
  return [...new Set(words)].sort();
}

const beginnings = [
  ...new Set(
    templates.flatMap((path) =>
      path.flatMap((segment, index) => (isParameter(segment) ? [path.slice(0, index + 1).join('/')] : [])),
    ),
  ),
];

describe('The parameters of the paths in openapi.json', () => {
  it('are chosen by callers, made by the service or of a known form, and each is one of these [ADM-098]', () => {
    const all = [...CHOSEN.map(([where]) => where), ...MADE_HERE, ...OTHERS];
    const kinds = beginnings.map((one) => [one, all.filter((where) => where.test(one)).length]);
    expect(kinds.filter(([, count]) => count !== 1)).toEqual([]);
    expect(all.filter((where) => !beginnings.some((one) => where.test(one)))).toEqual([]);
  });

  it.each(CHOSEN.map(([where, key]) => [String(where), where, key] as const))(
    'that callers choose are no words beside them: %s [ADM-098]',
    (_, where, key) => {
      const words = new Set(beginnings.filter((one) => where.test(one)).flatMap(wordsBeside));
      const own = CHOSEN.filter(([, other]) => other === key).map(([pattern]) => pattern);
      expect(own).toEqual([where]);
      expect([...words].sort()).toEqual([...key.words].sort());
    },
  );

  it('that are of a known form can be none of the words beside them', () => {
    for (const one of beginnings.filter((beginning) => OTHERS.some((where) => where.test(beginning))))
      expect([one, wordsBeside(one)]).toEqual([one, REFUSED_BY_FORM[one.split('/').at(-1)!] ?? []]);
    expect([parseDomain('_search'), parseForeignDomain('_search')]).toEqual([undefined, undefined]);
  });
});
