import { createHmac } from 'node:crypto';
import { chromium } from 'playwright-core';
import { Authenticator } from '../../../bench/load/authenticator.mjs';
import { Browser, formOf, passkeyOptionsOf } from '../../../bench/load/browser.mjs';
import { Connection } from '../../../bench/load/connection.mjs';
import { newAttempt, redeem } from '../../../bench/load/sign-in.mjs';
import { chromiumProgram } from '../../../test/browser/chromium.ts';
import { claimsIn } from '../races/stage.mjs';
import { PASSWORD } from './source.mjs';
import { skipWithout } from './steps.mjs';

const ROLES = 'urn:zitadel:iam:org:project:roles';
const SCOPE = 'openid profile email';
const TARGET = { endpoints: { authorization_endpoint: '/oauth/v2/authorize', token_endpoint: '/oauth/v2/token' } };
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** People who sign in as before, to the application that has its id and its secret from before. */
export class People {
  constructor(origin, known) {
    Object.assign(this, { origin, people: known.people, device: new Authenticator(known.passkey, origin), known });
    const { clientId, redirectUri, secret } = known.web;
    this.client = { clientId, clientSecret: secret, redirectUri };
  }

  async byPassword() {
    const { access_token: token } = await this.signIn(this.people.password, (enter) => this.enterPassword(enter));
    const roles = Object.keys(claimsIn(token)[ROLES] ?? {});
    if (roles.join() !== 'dispatcher') throw new Error(`the access token says ${JSON.stringify(claimsIn(token))}`);
    return 'old client id and secret, the role in the access token';
  }

  async byApp() {
    const { app } = this.people;
    await this.signIn(app, async (enter) => {
      const asked = await this.enterPassword(enter, app);
      return enter.submit(asked, { code: codeNow(app.seed) });
    });
    return 'password, then the code of the authenticator app';
  }

  async byRecoveryCode() {
    const { codes } = this.people;
    await this.signIn(codes, async (enter) => {
      const asked = await this.enterPassword(enter, codes);
      return enter.submit(await enter.otherWay(asked, '/ui/login/mfa/recovery/verify'), { code: codes.code });
    });
    return 'password, then a recovery code';
  }

  async byPasskey() {
    await this.signIn(this.people.passkey, async (enter) =>
      enter.submit(enter.first, { credential: this.device.get(passkeyOptionsOf(enter.first)) }),
    );
    return 'by the answer of an authenticator';
  }

  /** A browser that has the passkey offers it on the first page. */
  async byPasskeyInChromium() {
    const program = await chromiumProgram().catch(({ message }) => skipWithout(false, message));
    const browser = await chromium.launch(program);
    try {
      const page = await browser.newPage();
      const debug = await page.context().newCDPSession(page);
      await debug.send('WebAuthn.enable');
      const { authenticatorId } = await debug.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      const { credentialId, userHandle } = this.known.passkey;
      const credential = {
        credentialId: Buffer.from(credentialId, 'base64url').toString('base64'),
        isResidentCredential: true,
        rpId: 'localhost',
        privateKey: this.device.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
        userHandle: Buffer.from(userHandle, 'base64url').toString('base64'),
        signCount: 0,
        // As the device said that answered before.
        backupEligibility: true,
        backupState: true,
      };
      await debug.send('WebAuthn.addCredential', { authenticatorId, credential });
      const attempt = newAttempt(TARGET, this.client, SCOPE);
      const back = page.waitForRequest((request) => request.url().startsWith(this.client.redirectUri));
      await page.goto(`${this.origin}${attempt.address}`).catch(() => undefined); // the application is not there
      await this.redeem(new Connection(new URL(this.origin)), attempt, (await back).url(), this.people.passkey);
      return `offered by ${browser.version()} on the first page`;
    } finally {
      await browser.close();
    }
  }

  /** @param way what is done with the first page @returns tokens */
  async signIn(person, way) {
    const connection = new Connection(new URL(this.origin));
    const browser = new Browser(connection);
    const { redirectUri } = this.client;
    const attempt = newAttempt(TARGET, this.client, SCOPE);
    const enter = {
      first: await browser.open(attempt.address, redirectUri),
      submit: (page, values) => browser.submit(page, values, redirectUri),
      otherWay: (at, path) => {
        const { body } = formOf(at, { show: 'true' });
        return browser.follow(new URL(path, at.url), body, redirectUri);
      },
    };
    try {
      let end = await way(enter);
      if (end.page?.includes('value="skip"')) end = await enter.submit(end, { factor: 'skip' });
      if (!end.returned) throw new Error(`a page instead of a code: ${textOf(end.page)}`);
      return await this.redeem(connection, attempt, end.returned, person);
    } finally {
      connection.close();
    }
  }

  async enterPassword(enter, person = this.people.password) {
    return enter.submit(await enter.submit(enter.first, { loginName: person.userName }), { password: PASSWORD });
  }

  async redeem(connection, attempt, returned, person) {
    const tokens = await redeem(TARGET, connection, this.client, attempt, returned);
    const { sub } = claimsIn(tokens.id_token);
    if (sub !== person.id) throw new Error(`${sub} was signed in instead of ${person.id}`);
    return tokens;
  }
}

/** RFC 6238, with the usual settings. */
function codeNow(seed) {
  const bits = [...seed].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeUInt32BE(Math.floor(Date.now() / 30_000), 4);
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

function textOf(page) {
  return page
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 500);
}
