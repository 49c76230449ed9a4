import type { VNode } from 'preact';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import type { FormTarget } from '../part/form.js';
import { Form } from '../part/form.js';
import { Moment } from '../part/moment.js';
import { ScopeList } from '../part/scope-list.js';
import { scopeWords } from '../part/scope-words.js';
import { type AccountFrame, AccountLayout } from './account-layout.js';

export interface AccountApplication {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly since: Date;
  readonly lastAt: Date;
}

export interface AccountApplicationsProps {
  readonly frame: AccountFrame;
  readonly target: FormTarget;
  readonly applications: readonly AccountApplication[];
}

export function AccountApplicationsPage({ context, texts, frame, ...props }: InPage<AccountApplicationsProps>): VNode {
  const words = texts.accountApplications;
  const { applications, target } = props;
  const date = (at: Date): VNode => <Moment context={context} at={at} to="day" timeZone={frame.timeZone} />;
  return (
    <AccountLayout
      context={context}
      texts={texts}
      frame={frame}
      section="applications"
      lead={applications.length === 0 ? words.none : words.what}
    >
      {applications.length > 0 && (
        <ul class="panel account-items">
          {applications.map(({ clientId, name, scopes, since, lastAt }) => (
            <li>
              <div>
                <p>
                  <strong>
                    <bdi>{name}</bdi>
                  </strong>
                </p>
                <dl class="account-facts">
                  <dt>{words.since}</dt>
                  <dd>{date(since)}</dd>
                  <dt>{words.last}</dt>
                  <dd>{date(lastAt)}</dd>
                  <dt>{words.may}</dt>
                  <dd>
                    <ScopeList words={scopeWords(scopes, texts, context.extScopes)} look="account-scopes" />
                  </dd>
                </dl>
              </div>
              <Form target={{ ...target, fields: { application: clientId } }}>
                <button type="submit" class="button button-quiet" name="decision" value="remove">
                  {fill(texts.accountPage.removeThing, { title: name })}
                </button>
              </Form>
            </li>
          ))}
        </ul>
      )}
    </AccountLayout>
  );
}
