import type { VNode } from 'preact';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import type { FormTarget } from '../part/form.js';
import { Form } from '../part/form.js';
import { Moment } from '../part/moment.js';
import { type AccountFrame, AccountLayout } from './account-layout.js';

/** The field `decision` of the forms; the first one names a session besides. */
export type AccountDeviceDecision = 'one' | 'others' | 'everywhere';

export interface AccountDevice {
  readonly id: string;
  /** The browser, such as Firefox; empty if unknown. */
  readonly agent: string;
  readonly system: string;
  readonly network: string;
  readonly since: Date;
  readonly lastAt: Date;
  readonly how: 'password' | 'provider' | 'passkey';
  readonly hasSecondFactor: boolean;
  readonly isThis: boolean;
}

export interface AccountDevicesProps {
  readonly frame: AccountFrame;
  readonly target: FormTarget;
  /** The devices, this one first. */
  readonly devices: readonly AccountDevice[];
}

export function AccountDevicesPage({ context, texts, frame, ...props }: InPage<AccountDevicesProps>): VNode {
  const words = texts.accountDevices;
  const { devices, target } = props;
  const means = {
    password: texts.password.label,
    provider: words.byProvider,
    passkey: texts.accountActivity.passkey,
  };
  const time = (at: Date): VNode => <Moment context={context} at={at} to="minute" timeZone={frame.timeZone} />;
  return (
    <AccountLayout context={context} texts={texts} frame={frame} section="devices" lead={words.what}>
      <ul class="panel account-items">
        {devices.map((device) => (
          <li>
            <div>
              <p class="tagged">
                <strong>{nameOf(device, words.unknown)}</strong>
                {device.isThis && <span class="badge">{words.this}</span>}
              </p>
              <dl class="account-facts">
                <dt>{words.last}</dt>
                <dd>{time(device.lastAt)}</dd>
                <dt>{words.since}</dt>
                <dd>{time(device.since)}</dd>
                <dt>{words.how}</dt>
                <dd>
                  {means[device.how]}
                  {device.hasSecondFactor && ` · ${words.withSecondStep}`}
                </dd>
                {device.network !== '' && (
                  <>
                    <dt>{words.network}</dt>
                    <dd>
                      <bdi dir="ltr">{device.network}</bdi>
                    </dd>
                  </>
                )}
              </dl>
            </div>
            {!device.isThis && (
              <Form target={{ ...target, fields: { device: device.id } }}>
                <button
                  type="submit"
                  class="button button-quiet"
                  name="decision"
                  value={'one' satisfies AccountDeviceDecision}
                >
                  {fill(words.end, { title: nameOf(device, words.unknown) })}
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <Form target={target}>
        {devices.length > 1 && (
          <button
            type="submit"
            class="button button-quiet"
            name="decision"
            value={'others' satisfies AccountDeviceDecision}
          >
            {words.endOthers}
          </button>
        )}
        <button
          type="submit"
          class="button button-quiet"
          name="decision"
          value={'everywhere' satisfies AccountDeviceDecision}
        >
          {words.endAll}
        </button>
      </Form>
    </AccountLayout>
  );
}

function nameOf({ agent, system }: Pick<AccountDevice, 'agent' | 'system'>, unknown: string): string {
  return [agent, system].filter((word) => word !== '').join(' · ') || unknown;
}
