import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startWorld, type World } from '../support/world.js';
import { type Application, SAME_SITE, startApplication } from './application.js';
import { closeWindows, openChromium } from './chromium.js';
import { photograph } from './inspection.js';
import { SwaggerPage } from './swagger-page.js';
import { Window } from './window.js';

const LIMIT_MS = 60_000;
const PASSWORD = 'Birkenhof-2026!';

let browser: Browser;
let world: World;
let application: Application;
/** What Swagger UI answered; the application gets it like any other. */
let clientId: string;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true });
  application = await startApplication((origin) => ({
    authority: world.issuer,
    client_id: clientId,
    redirect_uri: `${origin}/`,
    post_logout_redirect_uri: `${origin}/bye`,
    scope: 'openid profile email',
    loadUserInfo: true,
    automaticSilentRenew: false,
    monitorSession: false,
  }));
});
afterAll(async () => {
  await closeWindows();
  await application.close();
  await world.close();
});

describe('An administrator with only a browser', () => {
  it(
    'adds a person, a project and an application in Swagger UI, and the person signs in to it',
    async () => {
      const administrator = await Window.open(browser, { viewport: { width: 1280, height: 1000 } });
      const docs = await SwaggerPage.open(administrator.page, world.issuer);
      await docs.authorize({
        loginName: world.firstStart.adminLoginName,
        password: world.firstStart.adminPassword.reveal(),
      });

      // What comes later is about what was added before.
      const user = await docs.execute('Human users', 'AddHumanUser', {
        userName: 'ilse.brandt',
        profile: { firstName: 'Ilse', lastName: 'Brandt', preferredLanguage: 'de' },
        email: { email: 'ilse@birkenhof.example', isEmailVerified: true },
        initialPassword: PASSWORD,
      });
      const person = JSON.parse(user.body) as { userId: string };
      const project = JSON.parse((await docs.execute('Projects', 'AddProject')).body) as { id: string };
      expect((await docs.execute('Projects', 'AddProjectRole')).status).toBe('200');
      const origin = application.at(SAME_SITE);
      const added = await docs.execute('Applications', 'AddOIDCApp', {
        name: 'Timetable',
        redirectUris: [`${origin}/`],
        postLogoutRedirectUris: [`${origin}/bye`],
        appType: 'OIDC_APP_TYPE_USER_AGENT',
        authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
      });
      expect(added.status).toBe('200');
      ({ clientId } = JSON.parse(added.body) as { clientId: string });
      await photograph(administrator, 'swagger-ui');
      const granted = await docs.execute('User grants', 'AddUserGrant');
      expect(granted.status).toBe('200');
      expect(administrator.complaints).toEqual([]);
      await administrator.close();

      const visitor = await Window.open(browser);
      await visitor.page.goto(`${origin}/`);
      await visitor.page.evaluate(() => void manager.signinRedirect());
      await visitor.shows('input[name="loginName"]');
      await visitor.signIn({ loginName: 'ilse.brandt@acme.localhost', password: PASSWORD });
      await visitor.page.waitForURL(`${origin}/?*`);
      const signedIn = await visitor.page.evaluate(() => manager.signinCallback());
      expect(signedIn).toMatchObject({
        profile: {
          iss: world.issuer,
          aud: clientId,
          sub: person.userId,
          name: 'Ilse Brandt',
          email: 'ilse@birkenhof.example',
        },
      });
      expect(visitor.complaints).toEqual([]);
      await visitor.close();

      const [grant] = await world.rows<{ projectId: string }>(
        'SELECT project_id AS "projectId" FROM user_grant WHERE user_id = $1',
        [person.userId],
      );
      expect(grant).toEqual({ projectId: project.id });
    },
    LIMIT_MS,
  );
});
