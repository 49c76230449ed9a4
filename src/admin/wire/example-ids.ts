/**
 * The ids in the examples of the documentation, each standing for one object. A running service shows its own ids of what
 * it has from the first start (docs/standing-ids.ts); the page at /docs fills in those of what was added there by an example
 * (docs/site/examples.js). No object has one of these ids: they are older than this service.
 */
export const EXAMPLE = {
  // There from the first start.
  instance: '312909075212468224',
  org: '312909075212468225',
  administrator: '312909075212468226',
  systemProject: '312909075212468227',
  documentationApp: '312909075212468228',

  // Made by the examples of the operations that add.
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

  // Names nothing that one could ask for by it.
  clientId: '312909075212468249',
} as const;
