import { randomUUID } from 'node:crypto';
import express from 'express';
import * as oidc from 'openid-client';

/** A shop that signs its customers in: /login, /callback, /me, /logout, and /backchannel for the end of sessions. */
export async function createApp({ issuer, clientId, clientSecret, url }) {
  const config = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
  });
  const sessions = new Map();
  const app = express();

  app.get('/login', async (request, response) => {
    const id = randomUUID();
    const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()];
    sessions.set(id, { verifier, state, nonce });
    const target = oidc.buildAuthorizationUrl(config, {
      redirect_uri: `${url()}/callback`,
      scope: 'openid profile offline_access',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    response.cookie('session', id, { httpOnly: true }).redirect(target.href);
  });

  app.get('/callback', async (request, response) => {
    const session = sessions.get(idOf(request));
    if (!session) return response.status(400).send('Start at /login.');
    const { verifier: pkceCodeVerifier, state: expectedState, nonce: expectedNonce } = session;
    const back = new URL(request.url, url());
    const tokens = await oidc.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState, expectedNonce });
    sessions.set(idOf(request), { tokens, until: Date.now() + tokens.expiresIn() * 1000 });
    response.redirect('/me');
  });

  app.get('/me', async (request, response) => {
    const session = sessions.get(idOf(request));
    if (!session?.tokens) return response.status(401).send('Please sign in.');
    try {
      response.json(await oidc.fetchUserInfo(config, session.tokens.access_token, oidc.skipSubjectCheck));
    } catch {
      await refresh(session);
      if (!session.tokens) return response.status(401).send('Please sign in again.');
      response.json(await oidc.fetchUserInfo(config, session.tokens.access_token, oidc.skipSubjectCheck));
    }
  });

  app.get('/logout', (request, response) => {
    const { tokens } = sessions.get(idOf(request)) ?? {};
    sessions.delete(idOf(request));
    const target = oidc.buildEndSessionUrl(config, {
      post_logout_redirect_uri: `${url()}/`,
      ...(tokens && { id_token_hint: tokens.id_token }),
    });
    response.redirect(target.href);
  });

  app.get('/', (request, response) => response.send('<a href="/login">Sign in</a>'));

  app.use((error, request, response, _next) => {
    response.status(502).send(`The sign-in failed: ${error.cause?.message ?? error.message}`);
  });

  async function refresh(session) {
    try {
      session.tokens = await oidc.refreshTokenGrant(config, session.tokens.refresh_token);
    } catch (error) {
      if (error.error === 'invalid_grant') delete session.tokens;
      else throw error;
    }
  }

  return app;
}

function idOf({ headers: { cookie = '' } }) {
  return /session=([^;]+)/.exec(cookie)?.[1];
}
