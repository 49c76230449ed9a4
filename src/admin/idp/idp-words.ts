/** Operations that were deprecated from the start, as they are in the API that they come from. */
export const DEPRECATED_SINCE = new Date('2026-11-20T00:00:00Z');

/** The descriptions of the operations, for both levels alike. */
export const DESCRIPTION = {
  add: 'The provider is offered on the login page immediately and untested, unless the login policy lists the providers to offer. Register the returned `callbackUrl` with the provider. The operation that replaces this one tests the provider first, and offers it only if it works.',
  addTested:
    'Tests the configuration as TestIDP does. If a check fails, the provider is stored inactive, and people do not see it: correct its configuration, test it, and reactivate it. Register the returned `callbackUrl` with the provider.',
  list: 'Filters are combined with AND.',
  get: 'The client secret is never returned.',
  update: 'Replaces all fields: omitted fields become empty. An update that changes nothing is refused.',
  updateOidc:
    'Replaces all fields: omitted fields become empty, except that an empty `clientSecret` keeps the current one. An update that changes nothing is refused.',
  updateProvider:
    'Replaces all fields: omitted fields become empty, except that an empty `clientSecret` keeps the current one, and `providerOptions` that are not sent those that there are. An update that changes nothing is refused.',
  updateVendor:
    'Replaces these fields: omitted ones become empty, except that an empty secret keeps the current one, and `providerOptions` that are not sent those that there are. An update that changes nothing is refused.',
  listProviders:
    'Those of the product and of all kinds that extensions bring, with their configuration. Filters are combined with AND.',
  updateExtension:
    'Replaces all fields: omitted fields become empty, except that an empty `clientSecret`, and empty secrets among the settings, keep the current ones. An update that changes nothing is refused.',
  deactivate: 'Users cannot sign in through it until it is reactivated. Links of users to it are kept.',
  reactivate:
    'Offers the provider on the login page again, unless the login policy lists others. It is not tested: test its configuration first, or users see a button that leads nowhere.',
  remove: 'Also removes all links of users to it, and removes it from every login policy that lists it.',
  test: "Fetches the provider's metadata, or asks the extension with its kind for an address, and reports for each part whether it works. Nothing is changed, and no user is signed in.",
  listListed:
    "Returns the list of the effective policy: the organization's own, or else the instance's. An empty list means that every active provider is offered.",
  addListed: 'From then on, only the listed providers are offered.',
  removeListed: 'When the list becomes empty, every active provider is offered.',
} as const;
