import { relative } from 'node:path';
import type { Config } from '../../foundation/config/config.js';
import type { Extension } from '../../foundation/extension/extension.js';
import type { FirstStart } from './first-start.service.js';

export interface StartFacts {
  readonly version: string;
  /** `embedded PostgreSQL 18`, or `PostgreSQL`. */
  readonly databaseLabel: string;
  readonly extensions: readonly Extension[];
  readonly firstStart: FirstStart | undefined;
  readonly seconds: number;
  /** Whether it is written for a person; otherwise for a log, which keeps what it is given. */
  readonly terminal: boolean;
}

const COLUMN = 18;

/** The lines of a start. Secrets appear at the first start, in development or on a terminal, and never again. */
export function startBlock(config: Config, facts: StartFacts): string {
  return config.issuer.production && config.log.format === 'json' && !facts.terminal
    ? startLine(config, facts)
    : startLines(config, facts);
}

/** The start as a log line in JSON. */
function startLine(
  { issuer, workers }: Config,
  { version, databaseLabel, extensions, firstStart, seconds }: StartFacts,
): string {
  const line = {
    level: 30,
    version,
    issuer: issuer.publicUrl,
    database: databaseLabel,
    ...(workers > 1 ? { workers } : {}),
    ...(extensions.length === 0 ? {} : { extensions: extensions.map(describeExtension) }),
    ...(firstStart === undefined
      ? {}
      : { administrator: firstStart.adminLoginName, password: wayToPassword(firstStart) }),
    msg: `Ready in ${seconds.toFixed(1)} s`,
  };
  return `${JSON.stringify(line)}\n`;
}

/** `hr 1.2.0 (CLAIMS, MAIL_TRANSPORT; schema 2)` */
export function describeExtension({ id, version, provides, schemaChanges }: Extension): string {
  const seams = [...new Set(provides.map(({ seam }) => seam.name))].join(', ');
  const schema = schemaChanges.length === 0 ? '' : `schema ${schemaChanges.length}`;
  const facts = [seams, schema].filter((fact) => fact !== '').join('; ');
  return facts === '' ? `${id} ${version}` : `${id} ${version} (${facts})`;
}

function wayToPassword({ adminLoginName }: FirstStart): string {
  return `set one with: gatehouse admin reset-password ${adminLoginName}`;
}

function startLines(config: Config, facts: StartFacts): string {
  const { publicUrl, production } = config.issuer;
  const dataDir = toShortPath(config.database.dataDir);
  const place = production ? facts.databaseLabel : `data in ${dataDir}, ${facts.databaseLabel}`;
  const lines = [
    `  Gatehouse ${facts.version}   ${production ? 'production' : 'development'} (${place})`,
    line('Issuer', publicUrl),
    ...(facts.extensions.length === 0 ? [] : [line('Extensions', facts.extensions.map(describeExtension).join(', '))]),
    line('API docs', `${publicUrl}/docs`, '(press Authorize; the client is filled in)'),
    ...(config.demo.origin === undefined
      ? []
      : [line('Demo application', config.demo.origin, '(signs you in and shows the tokens)')]),
    ...(config.workers > 1 ? [line('Processes', String(config.workers), '(SIGHUP replaces them one by one)')] : []),
    ...(production || config.mail.smtpUrl ? [] : [line('Mailbox', `${publicUrl}/dev/mail`)]),
    ...administrator(config, facts, dataDir),
    ...(production ? [] : scripts(publicUrl, dataDir)),
    `  Ready in ${facts.seconds.toFixed(1)} s`,
  ];
  return `${lines.join('\n')}\n`;
}

function administrator(config: Config, { firstStart, terminal }: StartFacts, dataDir: string): string[] {
  if (config.issuer.production) {
    if (!firstStart) return [];
    if (config.firstStart.adminPassword !== undefined)
      return [line('Administrator', `${firstStart.adminLoginName} / (as given in FIRST_ADMIN_PASSWORD)`)];
    const password = terminal ? firstStart.adminPassword.reveal() : `(${wayToPassword(firstStart)})`;
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
