/** Since this service exists: the interface that it takes them from calls them so. */
export const DEPRECATED_SINCE = new Date('2026-11-20T00:00:00Z');

/** What the documentation says of the operations, for both levels alike. */
export const DESCRIPTION = {
  add: 'It is offered on the login page at once, unless a login policy names the providers that it offers. Enter `callbackUrl` of the answer at the provider. This operation may be removed in a later version.',
  list: 'Filters narrow the list; every one of them must hold.',
  get: 'Its client secret is never answered.',
  update: 'The whole is sent: what is left out becomes empty. A change that changes nothing is refused.',
  updateOidc:
    'The whole is sent: what is left out becomes empty, but an empty `clientSecret` keeps the old one. A change that changes nothing is refused.',
  deactivate: 'Nobody signs in through it until it is reactivated. What people are linked with there is kept.',
  reactivate: 'People sign in through it again.',
  remove: 'With everybody’s links to it, and from every login policy that names it.',
  test: 'Fetches what the provider publishes, and says part by part what works and what does not. Nothing is changed, and nobody is signed in.',
  listListed:
    'Of the policy that holds: its own, else the one of the instance. An empty list means that every active provider is offered.',
  addListed: 'From then on none but the named providers are offered.',
  removeListed: 'When none is left, every active provider is offered.',
} as const;
