import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { MailboxMessage } from './mailbox-message.entity.js';

export const MAILBOX = '/dev/mail';

export function renderMailbox(messages: readonly MailboxMessage[]): string {
  return toDocument(
    <Page title="Mailbox">
      <header class="top">
        <h1>Mailbox</h1>
        <a href={MAILBOX}>Reload</a>
      </header>
      {messages.length === 0 ? (
        <p class="hint">No mails yet. What the service sends in development ends up here.</p>
      ) : (
        <List messages={messages} />
      )}
    </Page>,
  );
}

export function renderMessage(message: MailboxMessage, publicUrl: string): string {
  const { id, subject, textBody, headers } = message;
  return toDocument(
    <Page title={subject}>
      <nav>
        <a href={MAILBOX}>All mails</a>
      </nav>
      <h1>
        <bdi>{subject}</bdi>
      </h1>
      <dl>
        {Object.entries(headers).map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <h2>Text</h2>
      <pre dir="auto" tabIndex={0}>
        <Linked text={textBody} publicUrl={publicUrl} />
      </pre>
      <h2>HTML</h2>
      <iframe
        title={`HTML of: ${subject}`}
        src={`${MAILBOX}/${encodeURIComponent(id)}/html`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
      />
    </Page>,
  );
}

function List({ messages }: { readonly messages: readonly MailboxMessage[] }): VNode {
  return (
    <ol class="list">
      {messages.map(({ id, subject, recipient, sentAt }) => (
        <li>
          <a href={`${MAILBOX}/${encodeURIComponent(id)}`}>
            <bdi>{subject}</bdi>
          </a>
          <span class="to">
            <bdi>{recipient}</bdi>
          </span>
          <time dateTime={sentAt.toISOString()}>{sentAt.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>
        </li>
      ))}
    </ol>
  );
}

/** A text in which only addresses of this service become links. */
function Linked({ text, publicUrl }: { readonly text: string; readonly publicUrl: string }): VNode {
  const pieces = text.split(/(\bhttps?:\/\/\S+)/u);
  return <>{pieces.map((piece) => (piece.startsWith(`${publicUrl}/`) ? <a href={piece}>{piece}</a> : piece))}</>;
}

function Page({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="stylesheet" href={`${MAILBOX}/mailbox.css`} />
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
}

function toDocument(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}
