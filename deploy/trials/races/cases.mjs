import { AssertionKey, DpopKey } from '../../../bench/load/proof.mjs';
import { CERTIFICATE_HEADERS, certificateKeySet } from '../../../bench/seed/certificate.mjs';
import { inDatabase } from '../database.mjs';
import { DOCUMENT_RACES } from './documents.mjs';
import { EXCHANGE_RACES } from './exchanges.mjs';
import { ask, claimsIn, codeRequest, LANES, REDIRECT_URI, sendJson } from './stage.mjs';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Each makes what it needs once, and returns a round: undefined, or what was not as it must be. */
export const RACES = {
  'a device gets its tokens once, of twenty polls (RFC 8628 §3.5)': async (stage) => {
    const device = await stage.addDevice();
    const person = await stage.visitor(0);
    return async () => {
      const codes = await stage.startDevice(device);
      await stage.decide(person, await stage.confirmation(person, codes), 'continue');
      const answers = await stage.everywhere((at) =>
        ask(at, '/oauth/v2/token', { grant_type: DEVICE_GRANT, client_id: device, device_code: codes.device_code }),
      );
      return onlyOne(answers, 200, ['invalid_grant', 'slow_down']);
    };
  },

  'a device that asks while its user says yes gets its tokens once, and gets them': async (stage) => {
    const device = await stage.addDevice();
    const person = await stage.visitor(0);
    return async () => {
      const codes = await stage.startDevice(device);
      const page = await stage.confirmation(person, codes);
      const poll = (at) =>
        ask(at, '/oauth/v2/token', { grant_type: DEVICE_GRANT, client_id: device, device_code: codes.device_code });
      const [answers, decided] = await Promise.all([
        stage.everywhere((at) => poll(at)),
        stage.decide(person, page, 'continue'),
      ]);
      if (decided !== 200) return `decision: ${decided}`;
      const early = answers.filter(({ status }) => status === 200).length;
      const last = await poll(stage.second);
      if (last.status !== (early === 0 ? 200 : 400)) return `${early} before, and then ${last.text}`;
      const waiting = ['authorization_pending', 'invalid_grant', 'slow_down'];
      const others = answers.filter(({ status }) => status !== 200);
      return early <= 1 && others.every(({ text }) => waiting.some((error) => text.includes(error)))
        ? undefined
        : answers.map(({ status, text }) => `${status} ${text.slice(0, 60)}`).join('; ');
    };
  },

  'a refresh token has one successor, whichever process it is shown at, and none without the certificate (RFC 8705)':
    async (stage) => {
      const { clientId } = await stage.addApp({
        appType: 'OIDC_APP_TYPE_WEB',
        authMethodType: 'OIDC_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH',
        tlsBoundAccessTokens: true,
        jwks: certificateKeySet(),
        grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
      });
      const visitor = await stage.visitor(0);
      const scope = 'openid offline_access';
      let { refresh_token: current } = await stage.tokens(visitor, clientId, undefined, scope, CERTIFICATE_HEADERS);
      return async () => {
        const form = { grant_type: 'refresh_token', refresh_token: current, client_id: clientId };
        const answers = await stage.everywhere((at, lane) =>
          ask(at, '/oauth/v2/token', form, lane % 4 === 3 ? {} : CERTIFICATE_HEADERS),
        );
        const wrong = answers.filter(({ status }, lane) => status !== (lane % 4 === 3 ? 401 : 200));
        if (wrong.length > 0) return `${wrong[0].status} ${wrong[0].text}`;
        const tokens = answers.filter(({ status }) => status === 200).map(({ text }) => JSON.parse(text));
        const successors = new Set(tokens.map(({ refresh_token: token }) => token));
        if (successors.size !== 1 || successors.has(current)) return `${successors.size} successors`;
        [current] = successors;
        const uses = await Promise.all(
          tokens.flatMap(({ access_token: token }, n) =>
            [CERTIFICATE_HEADERS, {}].map((shown) =>
              ask(n % 2 === 0 ? stage.second : stage.first, '/oidc/v1/userinfo', undefined, {
                Authorization: `Bearer ${token}`,
                ...shown,
              }),
            ),
          ),
        );
        const statuses = new Set(uses.map(({ status }, n) => `${n % 2} ${status}`));
        return [...statuses].toSorted().join() === '0 200,1 401' ? undefined : `uses ${[...statuses]}`;
      };
    },

  'of a yes and a no to one device code, one counts': async (stage) => {
    const device = await stage.addDevice();
    const people = [await stage.visitor(0), await stage.visitor(1)];
    return async () => {
      const codes = await stage.startDevice(device);
      const pages = [await stage.confirmation(people[0], codes), await stage.confirmation(people[1], codes)];
      const statuses = await Promise.all([
        stage.decide(people[0], pages[0], 'continue'),
        stage.decide(people[1], pages[1], 'cancel'),
      ]);
      return statuses.toSorted().join() === '200,410' ? undefined : `statuses ${statuses}`;
    };
  },

  'a pushed request is answered once (RFC 9126 §4)': async (stage) => {
    const { clientId, clientSecret } = await stage.addWeb();
    const visitors = await stage.visitors();
    return async () => {
      const pushed = await ask(stage.first, '/oauth/v2/par', { ...codeRequest(clientId), client_secret: clientSecret });
      if (pushed.status !== 201) return `push: ${pushed.status} ${pushed.text}`;
      const query = new URLSearchParams({ client_id: clientId, request_uri: JSON.parse(pushed.text).request_uri });
      const path = `/oauth/v2/authorize?${query}`;
      const answers = await Promise.all(visitors.map((visitor) => visitor.exchange(visitor.to(path))));
      const codes = answers.filter((answer) => answer.header('location')?.startsWith(REDIRECT_URI));
      const others = answers.filter((answer) => !codes.includes(answer)).map(({ status }) => status);
      return codes.length === 1 && others.every((status) => status === 410)
        ? undefined
        : `${codes.length} codes beside ${others}`;
    };
  },

  'an assertion authenticates once, at whatever endpoint (RFC 7523 §3)': async (stage) => {
    const { clientId, key } = await stage.addKeyHolder();
    const assertions = new AssertionKey({ clientId, ...key }, stage.first.origin);
    const forms = [
      ['/oauth/v2/token', { grant_type: 'authorization_code', code: 'none', redirect_uri: REDIRECT_URI }],
      ['/oauth/v2/introspect', { token: 'none' }],
      ['/oauth/v2/revoke', { token: 'none' }],
    ];
    return async () => {
      const fields = assertions.fields();
      const answers = await stage.everywhere((at, lane) => {
        const [path, form] = forms[lane % forms.length];
        return ask(at, path, { ...form, ...fields });
      });
      const taken = answers.filter(({ status }) => status !== 401);
      return taken.length === 1 && taken[0].status < 500
        ? undefined
        : `statuses ${answers.map(({ status }) => status)}`;
    };
  },

  'a proof of a key counts once in all processes (RFC 9449 §11.1)': async (stage) => {
    const service = await stage.addService();
    const key = new DpopKey();
    return async () => {
      const headers = { ...service.headers, ...key.headersFor('POST', `${stage.first.origin}/oauth/v2/token`) };
      const answers = await stage.everywhere((at) =>
        ask(at, '/oauth/v2/token', { grant_type: 'client_credentials', scope: 'openid' }, headers),
      );
      return onlyOne(answers, 200, ['invalid_dpop_proof']);
    };
  },

  'a session ends once, with one notice for its application': async (stage) => {
    const { clientId, clientSecret } = await stage.addWeb({ backChannelLogoutUri: `${REDIRECT_URI}/logout` });
    return async (count) => {
      const visitor = await stage.visitor(count);
      const tokens = await stage.tokens(visitor, clientId, clientSecret);
      const sessionId = claimsIn(tokens.id_token).sid;
      const path = `/oidc/v1/end_session?${new URLSearchParams({ id_token_hint: tokens.id_token })}`;
      const headers = { Cookie: visitor.cookieFor('/oidc/v1/end_session'), 'Sec-Fetch-Site': 'same-origin' };
      const answers = await stage.everywhere((at) => ask(at, path, undefined, headers));
      if (answers.some(({ status }) => status >= 500)) return `statuses ${answers.map(({ status }) => status)}`;
      const [{ notices, events }] = await inDatabase(
        stage.databaseUrl,
        `SELECT
           (SELECT count(*)::int FROM logout_notice WHERE session_id = '${sessionId}') AS notices,
           (SELECT count(*)::int FROM event WHERE aggregate_id = '${sessionId}' AND type = 'session.ended') AS events`,
      );
      return notices === 1 && events === 1
        ? undefined
        : `${notices} notices and ${events} events: ${answers[0].status}`;
    };
  },

  'the last use of an initial access token is given once (RFC 7591 §3)': async (stage) => async () => {
    const token = await stage.registrationToken();
    const answers = await stage.everywhere((at) => register(at, token));
    return onlyOne(answers, 201, ['invalid_token']);
  },

  'of changes to a registration one is whole, and what was removed stays removed (RFC 7592 §2)':
    async (stage) => async () => {
      const made = JSON.parse((await register(stage.first, await stage.registrationToken())).text);
      const put = (at, lane) => change(at, made, `N${lane}`, `https://rp.test/cb/${lane}`);
      const changed = await stage.everywhere(put);
      if (changed.some(({ status }) => status !== 200)) return `changes: ${changed.map(({ status }) => status)}`;
      const now = JSON.parse((await manage(stage.second, made, 'GET')).text);
      if (now.redirect_uris[0] !== `https://rp.test/cb/${now.client_name.slice(1)}`)
        return `a mixture: ${now.client_name}`;
      const last = await stage.everywhere((at, lane) =>
        lane === LANES / 2 ? manage(at, made, 'DELETE') : put(at, lane),
      );
      if (last.some(({ status }) => ![200, 204, 401].includes(status)))
        return `last: ${last.map(({ status }) => status)}`;
      return (await manage(stage.first, made, 'GET')).status === 401 ? undefined : 'removed, and there again';
    },

  ...DOCUMENT_RACES,
  ...EXCHANGE_RACES,
};

async function register(at, token) {
  return sendJson(at, 'POST', '/oauth/v2/register', token, { redirect_uris: ['https://rp.test/cb'] });
}

async function manage(at, { client_id: id, registration_access_token: token }, method, metadata) {
  return sendJson(at, method, `/oauth/v2/register/${id}`, token, metadata);
}

async function change(at, made, name, uri) {
  const metadata = { client_id: made.client_id, client_name: name, redirect_uris: [uri] };
  return manage(at, made, 'PUT', metadata);
}

/** Undefined if one answer has the status, and the others one of these errors. */
function onlyOne(answers, status, errors) {
  const others = answers.filter((answer) => answer.status !== status);
  const isSo =
    others.length === answers.length - 1 && others.every(({ text }) => errors.some((error) => text.includes(error)));
  return isSo ? undefined : answers.map((answer) => `${answer.status} ${answer.text.slice(0, 60)}`).join('; ');
}
