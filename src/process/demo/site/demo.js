/* The demo application. Everything that it knows of the service is in settings.json and in the discovery document. */
'use strict';

const { UserManager, WebStorageStateStore } = window.oidc;
const element = (id) => document.getElementById(id);

/** Says what happened; read out by screen readers. */
function showMessage(text, isError = false) {
  element('message').textContent = text;
  element('message').className = isError ? 'error' : '';
}

/** Runs an action of a button and says what went wrong, in the words of the protocol. */
async function attempt(what, action) {
  showMessage(`${what} …`);
  try {
    await action();
  } catch (error) {
    const code = error.error ? ` (${error.error})` : '';
    showMessage(`${what}: ${error.error_description ?? error.message}${code}`, true);
  }
}

/** The claims of a signed token, or undefined for an opaque one. For display only: the library has checked the ID token. */
function claimsOf(token) {
  const [, payload] = token.split('.');
  if (token.split('.').length !== 3) return undefined;
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
  return JSON.parse(new TextDecoder().decode(bytes));
}

const pretty = (value) => JSON.stringify(value, null, 2);

function show(user, userinfo) {
  element('signed-out').hidden = Boolean(user);
  element('signed-in').hidden = !user;
  element('tokens').hidden = !user;
  if (!user) return;
  const idToken = claimsOf(user.id_token);
  const accessToken = claimsOf(user.access_token);
  element('name').textContent = userinfo?.name ?? userinfo?.preferred_username ?? idToken.sub;
  element('id-token').textContent = pretty(idToken);
  element('id-token-raw').textContent = user.id_token;
  element('access-token-kind').textContent = accessToken
    ? 'Signed: anybody can read it.'
    : 'Opaque: only the service can read it.';
  element('access-token').textContent = accessToken ? pretty(accessToken) : user.access_token;
  element('refresh-token').textContent = user.refresh_token ?? 'None';
  element('userinfo-claims').textContent = userinfo ? pretty(userinfo) : 'Not asked yet';
  showLifetime(user);
}

function showLifetime(user) {
  const seconds = user.expires_in ?? 0;
  element('lifetime').textContent =
    seconds <= 0 ? 'The access token has expired.' : `The access token is valid for ${duration(seconds)}.`;
}

function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}

async function askUserinfo(manager, user) {
  const endpoint = await manager.metadataService.getUserInfoEndpoint();
  const response = await fetch(endpoint, { headers: { Authorization: `Bearer ${user.access_token}` } });
  if (!response.ok)
    throw new Error(`Userinfo answered ${response.status}: ${response.headers.get('WWW-Authenticate') ?? ''}`);
  return response.json();
}

/** Finishes whatever the service sent the browser back with. */
async function comeBack(manager) {
  const answer = new URLSearchParams(location.search);
  if (!answer.has('state') && !answer.has('error')) return 'Ready.';
  history.replaceState(null, '', location.pathname); // a code must not stay in the address bar
  const url = `${location.origin}/?${answer}`;
  if (answer.has('code') || answer.has('error')) {
    await manager.signinRedirectCallback(url).catch((error) => {
      // A refusal that this page did not ask for has a state that the library does not know; its own words say more.
      throw answer.has('error') ? refusalIn(answer) : error;
    });
    return 'Signed in.';
  }
  await manager.signoutRedirectCallback(url);
  return 'Signed out.';
}

/** The refusal in the address, in the form of the library's own errors. */
function refusalIn(answer) {
  const [error, description] = [answer.get('error'), answer.get('error_description')];
  return Object.assign(new Error(description ?? error), { error, error_description: description });
}

/** For copying: everything that a sign-in takes. */
const codeOf = ({ authority, clientId, redirectUri }) => `import { UserManager } from 'oidc-client-ts';

const manager = new UserManager({
  authority: '${authority}',
  client_id: '${clientId}',
  redirect_uri: '${redirectUri}',
  post_logout_redirect_uri: '${redirectUri}',
  scope: 'openid profile email offline_access',
  loadUserInfo: true, // the name and the address are there, not in the ID token
});

if (new URLSearchParams(location.search).has('code')) {
  await manager.signinRedirectCallback();
  history.replaceState(null, '', location.pathname);
}
const user = await manager.getUser();
if (!user) {
  await manager.signinRedirect();
} else {
  console.log('Signed in as', user.profile.name);
  const response = await fetch('https://api.example.com/orders', {
    headers: { Authorization: \`Bearer \${user.access_token}\` },
  });
}
// Sign out: await manager.signoutRedirect();
`;

async function start() {
  const { authority, clientId, scope } = await (await fetch('settings.json')).json();
  const back = new URLSearchParams({ client_id: clientId, redirect_uri: `${location.origin}/` });
  element('account').href = `${authority}/ui/account?${back}`;
  element('code').textContent = codeOf({ authority, clientId, redirectUri: `${location.origin}/` });
  const home = `${location.origin}/`;
  const manager = new UserManager({
    authority,
    scope,
    client_id: clientId,
    redirect_uri: home,
    post_logout_redirect_uri: home,
    silent_redirect_uri: `${home}silent.html`,
    silentRequestTimeoutInSeconds: 5,
    automaticSilentRenew: false,
    userStore: new WebStorageStateStore({ store: sessionStorage }),
  });
  let user;
  let userinfo;
  const update = async (message) => {
    user = await manager.getUser();
    userinfo = user && (await askUserinfo(manager, user));
    show(user, userinfo);
    showMessage(message);
  };
  const onClick = (id, what, action) => element(id).addEventListener('click', () => attempt(what, action));
  onClick('sign-in', 'Going to the sign-in', () => manager.signinRedirect());
  onClick('choose', 'Going to the accounts', () => manager.signinRedirect({ prompt: 'select_account' }));
  onClick('switch', 'Going to the accounts', () => manager.signinRedirect({ prompt: 'select_account' }));
  onClick('register', 'Going to the registration', () => manager.signinRedirect({ prompt: 'create' }));
  onClick('sign-out', 'Going to the sign-out', () => manager.signoutRedirect({ state: 'bye' }));
  onClick('userinfo', 'Asking userinfo', () => update('Userinfo has answered.'));
  onClick('refresh', 'Refreshing', async () => {
    await manager.signinSilent(); // with the refresh token that it holds
    await update('The tokens are new.');
  });
  onClick('renew', 'Renewing silently', async () => {
    await manager.signinSilent({ forceIframeAuth: true });
    await update('The session is alive, and the tokens are new.');
  });
  setInterval(() => user && showLifetime(user), 10_000);
  let message;
  try {
    message = await comeBack(manager);
  } catch (error) {
    show(await manager.getUser());
    throw error;
  }
  await update(message);
}

void attempt('Loading', start);
