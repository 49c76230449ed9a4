import type { VNode } from 'preact';
import { fill, type PageTexts } from './catalogue/catalogue.js';
import type { Person } from './part/account.js';
import { Account } from './part/account.js';
import { Administration, type AdministrationOffer } from './part/administration.js';
import { QuietButton, SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Facts } from './part/facts.js';
import { Filled } from './part/filled.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import { ScopeList } from './part/scope-list.js';
import { scopeWords } from './part/scope-words.js';

/** The form field `decision`. */
export type ConsentDecision = 'continue' | 'cancel';

/** The facts about an application that no administrator has registered, besides what it says. */
export interface Stranger {
  /** Whose document describes it; undefined if it has registered itself. */
  readonly host: string | undefined;
  /** The destination of the answer: a host, or a private scheme. */
  readonly redirectHost: string;
  /** Whether its answers never leave the user's device, where any program can receive them. */
  readonly isOnMachine: boolean;
  readonly policyUri?: string | undefined;
  readonly tosUri?: string | undefined;
}

export interface ConsentProps {
  readonly form: FormTarget;
  readonly clientName: string;
  /** Requested scopes as they came; the page says what they mean. */
  readonly scopes: readonly string[];
  /** Set if it would use the administrative API. */
  readonly administration?: AdministrationOffer | undefined;
  /** The protected resources that the tokens are for (RFC 8707). */
  readonly resources?: readonly string[];
  readonly stranger?: Stranger | undefined;
  /** The owner of an application that an administrator has registered, and the destination of the answer. */
  readonly owner?: { readonly name: string; readonly redirectHost: string } | undefined;
  /** The person who is about to continue. */
  readonly person: Person;
  readonly errors?: FormErrors<never>;
}

/** OIDC Core §3.1.2.4: the person sees who asks for what, and may say no. */
export function ConsentPage({ context, texts, ...props }: InPage<ConsentProps>): VNode {
  const words = texts.consent;
  const client = { client: props.clientName };
  const meanings = scopeWords(props.scopes, texts, context.extScopes);
  return (
    <Layout context={context} texts={texts} title={fill(words.title, client)} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={<Filled text={words.title} values={client} />} />
      <ErrorNotice errors={props.errors} texts={texts} />
      {props.stranger && <Unverified stranger={props.stranger} clientName={props.clientName} texts={texts} />}
      {props.owner && (
        <Facts
          facts={[
            [texts.device.owner, props.owner.name],
            [words.returns, props.owner.redirectHost],
          ]}
        />
      )}
      <div class="panel">
        <Account person={props.person} />
      </div>
      <p>
        <Filled text={meanings.length === 0 ? words.noScopes : words.scopes} values={client} />
      </p>
      {meanings.length > 0 && <ScopeList words={meanings} look="ticks" />}
      <Resources uris={props.resources ?? []} texts={texts} />
      <Administration offer={props.administration} clientName={props.clientName} texts={texts} />
      <Form target={props.form}>
        <SubmitButton name="decision" value={'continue' satisfies ConsentDecision}>
          {words.submit}
        </SubmitButton>
        <QuietButton name="decision" value={'cancel' satisfies ConsentDecision}>
          {words.cancel}
        </QuietButton>
      </Form>
    </Layout>
  );
}

/** The names are the application's own; the hosts are not. */
function Unverified({
  stranger,
  clientName,
  texts,
}: {
  readonly stranger: Stranger;
  readonly clientName: string;
  readonly texts: PageTexts;
}): VNode {
  const words = texts.consent;
  const facts = [
    [words.identity, stranger.host],
    [words.returns, stranger.redirectHost],
  ] as const;
  const links = [
    [texts.frame.tos, stranger.tosUri],
    [texts.frame.privacy, stranger.policyUri],
  ] as const;
  return (
    <>
      <div class="notice notice-info">
        <p>
          <Filled text={words.unverified} values={{ client: clientName }} />
        </p>
        {stranger.isOnMachine && <p>{words.onMachine}</p>}
      </div>
      <Facts facts={facts} />
      {links.map(
        ([name, href]) =>
          href !== undefined && (
            <p>
              <a href={href} rel="noreferrer">
                {name}
              </a>
            </p>
          ),
      )}
    </>
  );
}

/** The resources as they stand in the tokens. */
export function Resources({
  uris,
  texts,
}: {
  readonly uris: readonly string[];
  readonly texts: PageTexts;
}): VNode | null {
  if (uris.length === 0) return null;
  return (
    <>
      <p>{texts.consent.resources}</p>
      <ul class="ticks">
        {uris.map((uri) => (
          <li>
            <bdi>{uri}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
