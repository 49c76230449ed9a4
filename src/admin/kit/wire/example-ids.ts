/**
 * The ids in the examples of the documentation, each of one object. A running service replaces those of objects from
 * the first start with its own (docs/standing-ids.ts); the page at /docs replaces those of objects that were added
 * there with an example (docs/site/examples.ts). No object has one of these ids: they are older than this service.
 */
export const EXAMPLE = {
  // Objects that exist since the first start.
  instance: '312909075212468224',
  org: '312909075212468225',
  administrator: '312909075212468226',
  systemProject: '312909075212468227',
  documentationApp: '312909075212468228',

  // Created by the examples of operations that add objects.
  otherOrg: '312909075212468230',
  setUpOrg: '312909075212468231',
  setUpPerson: '312909075212468232',
  person: '312909075212468233',
  importedPerson: '312909075212468234',
  service: '312909075212468235',
  machineKey: '312909075212468236',
  personalAccessToken: '312909075212468237',
  project: '312909075212468238',
  oidcApp: '312909075212468239',
  apiApp: '312909075212468240',
  appKey: '312909075212468241',
  projectGrant: '312909075212468242',
  userGrant: '312909075212468243',
  idp: '312909075212468244',
  jwtIdp: '312909075212468245',
  orgIdp: '312909075212468246',
  orgJwtIdp: '312909075212468247',
  signingKey: '312909075212468248',
  oidcProvider: '312909075212468250',
  jwtProvider: '312909075212468251',
  orgOidcProvider: '312909075212468252',
  orgJwtProvider: '312909075212468253',
  registrationToken: '312909075212468257',
  webhook: '312909075212468258',
  orgWebhook: '312909075212468259',
  extensionProvider: '312909075212468260',
  orgExtensionProvider: '312909075212468261',
  smtpConfig: '312909075212468262',
  group: '312909075212468263',
  groupGrant: '312909075212468264',
  projectV2: '312909075212468265',
  personV2: '312909075212468270',
  addedPersonV2: '312909075212468271',
  serviceV2: '312909075212468272',
  applicationV2: '312909075212468280',
  applicationKeyV2: '312909075212468284',
  orgV2: '312909075212468282',
  orgV2Admin: '312909075212468283',
  authorization: '312909075212468290',

  // Ids that cannot be used in any other request.
  clientId: '312909075212468249',
  session: '312909075212468254',
  passkey: '312909075212468255',
  securityKey: '312909075212468256',
} as const;
