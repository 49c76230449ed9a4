import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { paths } from '../../../org/instance/paths.js';

export const STYLESHEET_PATH = '/dev/entrance.css';
/** The path of mail/mailbox: use cases do not import one another. */
const MAILBOX_PATH = '/dev/mail';

export interface Entrance {
  readonly issuer: string;
  /** Undefined: the demo application is off. */
  readonly demo: string | undefined;
  readonly hasMailbox: boolean;
  readonly dataDir: string;
}

/** The contents of the start block in the terminal as links, and what the first application needs. */
export function renderEntrance(entrance: Entrance): string {
  const { issuer, demo, hasMailbox, dataDir } = entrance;
  return `<!doctype html>${renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>Gatehouse in development</title>
        <link rel="icon" href="/ui/login/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={STYLESHEET_PATH} />
      </head>
      <body>
        <p class="strip">Development: do not use this instance for real accounts.</p>
        <main>
          <h1>Gatehouse is running</h1>
          <ul class="links">
            {demo !== undefined && (
              <Place href={`${demo}/`} name="Demo application" what="Sign in and see the tokens" />
            )}
            <Place href={paths.overview} name="Overview" what="Where administrators and help desks look first" />
            <Place href={paths.account} name="Your account" what="The page on which users manage their own account" />
            <Place href="/docs" name="API documentation" what="Press Authorize; the client is filled in" />
            {hasMailbox && <Place href={MAILBOX_PATH} name="Mailbox" what="The e-mails that the service sends" />}
            <Place
              href="/.well-known/openid-configuration"
              name="Discovery document"
              what={`Libraries need only the issuer: ${issuer}`}
            />
          </ul>
          <p>
            The administrator's login name and password are in <code>{dataDir}/first-run.json</code>, a token for
            scripts in <code>{dataDir}/admin.pat</code>.
          </p>
          <FirstApplication issuer={issuer} dataDir={dataDir} />
        </main>
      </body>
    </html>,
  )}`;
}

function Place({ href, name, what }: { readonly href: string; readonly name: string; readonly what: string }): VNode {
  return (
    <li>
      <a href={href}>{name}</a>
      <span>{what}</span>
    </li>
  );
}

function FirstApplication({ issuer, dataDir }: Pick<Entrance, 'issuer' | 'dataDir'>): VNode {
  return (
    <section aria-labelledby="register">
      <h2 id="register">Register your application</h2>
      <p>In the folder of Gatehouse:</p>
      <pre tabIndex={0}>
        {`npx gatehouse register --url ${issuer} --token-file ${dataDir}/admin.pat \\
  --name Shop --type browser --redirect-uri http://localhost:5173/callback`}
      </pre>
      <p>
        The types are <code>browser</code>, <code>web</code>, <code>native</code>, <code>device</code> and{' '}
        <code>api</code>. The command prints the client ID and, for an application with a secret, the secret. Then, in
        the browser, with oidc-client-ts:
      </p>
      <pre tabIndex={0}>
        {`import { UserManager } from 'oidc-client-ts';

const manager = new UserManager({
  authority: '${issuer}',
  client_id: 'CLIENT_ID',
  redirect_uri: 'http://localhost:5173/callback',
  scope: 'openid profile email offline_access',
  loadUserInfo: true, // the name and the address are there, not in the ID token
});

if (location.pathname === '/callback') {
  await manager.signinRedirectCallback();
  history.replaceState(null, '', '/');
}
const user = await manager.getUser();
if (user) document.body.textContent = \`Hello \${user.profile.name}\`;
else await manager.signinRedirect();`}
      </pre>
      <p>
        <code>docs/quick-starts/README.md</code> has the same for React, Vue, Angular, Next.js, Express, Spring Boot,
        ASP.NET Core, Django, Laravel, Go, oauth2-proxy, Android and iOS, command lines, devices without a browser, MCP
        servers, and APIs that check tokens.
      </p>
    </section>
  );
}
