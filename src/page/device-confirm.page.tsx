import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import { fill } from './catalogue/catalogue.js';
import { Resources } from './consent.page.js';
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
import { Way } from './part/way.js';

/** The form field `decision`. */
export type DeviceDecision = 'continue' | 'cancel';

export interface DeviceConfirmProps {
  readonly form: FormTarget;
  readonly clientName: string;
  /** The organization that owns the application. */
  readonly ownerName: string;
  readonly scopes: readonly string[];
  /** Set if it would use the administrative API. */
  readonly administration?: AdministrationOffer | undefined;
  /** The protected resources that the tokens are for (RFC 8707). */
  readonly resources?: readonly string[];
  /** The code as the device shows it. */
  readonly userCode: string;
  /** How long ago the device asked, and where. */
  readonly ageSeconds: number;
  readonly network: string;
  /** The person who is about to continue. */
  readonly person: Person;
  readonly otherAccountHref: ServicePath;
  readonly errors?: FormErrors<never>;
}

/**
 * RFC 8628 §5.4: what is about to be approved, and for whom. People are talked into typing the code of a stranger's
 * device, so the page says what that would mean.
 */
export function DeviceConfirmPage({ context, texts, ...props }: InPage<DeviceConfirmProps>): VNode {
  const words = texts.device;
  const client = { client: props.clientName };
  const meanings = scopeWords(props.scopes, texts, context.extScopes);
  const facts = [
    [texts.code.label, props.userCode],
    [words.owner, props.ownerName],
    [words.asked, ageIn(context.language, props.ageSeconds)],
    [words.network, props.network],
  ] as const;
  return (
    <Layout
      context={context}
      texts={texts}
      title={fill(words.confirm, client)}
      hasErrors={Boolean(props.errors?.length)}
    >
      <Heading title={<Filled text={words.confirm} values={client} />}>{words.compare}</Heading>
      <ErrorNotice errors={props.errors} texts={texts} />
      <div class="notice notice-info">
        <p>
          <Filled text={words.warning} values={client} />
        </p>
      </div>
      <Facts facts={facts} />
      <div class="panel">
        <Account person={props.person} />
      </div>
      <p>
        <Filled text={meanings.length === 0 ? texts.consent.noScopes : texts.consent.scopes} values={client} />
      </p>
      {meanings.length > 0 && <ScopeList words={meanings} look="ticks" />}
      <Resources uris={props.resources ?? []} texts={texts} />
      <Administration offer={props.administration} clientName={props.clientName} texts={texts} />
      <Form target={props.form}>
        <SubmitButton name="decision" value={'continue' satisfies DeviceDecision}>
          {words.allow}
        </SubmitButton>
        <QuietButton name="decision" value={'cancel' satisfies DeviceDecision}>
          {words.deny}
        </QuietButton>
      </Form>
      <div class="ways">
        <p>
          <Way context={context} to={props.otherAccountHref}>
            {texts.account.other}
          </Way>
        </p>
      </div>
    </Layout>
  );
}

/** `2 minutes ago`: no clock time, since the time zone of the reader is not known. */
function ageIn(language: string, seconds: number): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return seconds < 60 ? words.format(0, 'second') : words.format(-Math.floor(seconds / 60), 'minute');
}
