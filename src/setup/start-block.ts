import { relative } from 'node:path';
import type { Config } from '../foundation/config/config.js';
import type { FirstStart } from './first-start.service.js';

export interface StartFacts {
  readonly version: string;
  /** `embedded PostgreSQL 18`, or `PostgreSQL`. */
  readonly databaseLabel: string;
  readonly firstStart: FirstStart | undefined;
  readonly seconds: number;
}

const COLUMN = 18;

/** What a start prints. Secrets appear at the first start of a development instance, and never again. */
export function startBlock(config: Config, facts: StartFacts): string {
  const { publicUrl, production } = config.issuer;
  const dataDir = toShortPath(config.database.dataDir);
  const place = production ? facts.databaseLabel : `data in ${dataDir}, ${facts.databaseLabel}`;
  const lines = [
    `  Gatehouse ${facts.version}   ${production ? 'production' : 'development'} (${place})`,
    line('Issuer', publicUrl),
    line('API docs', `${publicUrl}/docs`, '(press Authorize; the client is filled in)'),
    ...(config.demo.origin === undefined
      ? []
      : [line('Demo application', config.demo.origin, '(signs you in and shows the tokens)')]),
    ...(production || config.mail.smtpUrl ? [] : [line('Mailbox', `${publicUrl}/dev/mail`)]),
    ...administrator(config, facts.firstStart, dataDir),
    ...(production ? [] : scripts(publicUrl, dataDir)),
    `  Ready in ${facts.seconds.toFixed(1)} s`,
  ];
  return `${lines.join('\n')}\n`;
}

function administrator(config: Config, firstStart: FirstStart | undefined, dataDir: string): string[] {
  if (config.issuer.production) {
    if (!firstStart) return [];
    // The only place where a generated password can be learnt; a given one is known to its giver.
    const given = config.firstStart.adminPassword !== undefined;
    const password = given ? '(as given in FIRST_ADMIN_PASSWORD)' : firstStart.adminPassword.reveal();
    return [line('Administrator', `${firstStart.adminLoginName} / ${password}`)];
  }
  if (!firstStart) return [line('Administrator', `see ${dataDir}/first-run.json`)];
  return [
    line(
      'Administrator',
      `${firstStart.adminLoginName} / ${firstStart.adminPassword.reveal()}`,
      `(also in ${dataDir}/first-run.json)`,
    ),
  ];
}

function scripts(publicUrl: string, dataDir: string): string[] {
  return [
    line(
      'Token for scripts',
      `${dataDir}/admin.pat       curl -H "Authorization: Bearer $(cat ${dataDir}/admin.pat)" \\`,
    ),
    `  ${''.padEnd(COLUMN)}${publicUrl}/admin/v1/text/default/message/init/en`,
  ];
}

function line(name: string, value: string, remark = ''): string {
  const text = `  ${name.padEnd(COLUMN)}${value}`;
  return remark === '' ? text : `${text.padEnd(COLUMN + 34)} ${remark}`;
}

function toShortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : `./${short}`;
}
