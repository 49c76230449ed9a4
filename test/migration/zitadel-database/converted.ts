import { USUAL_PEOPLE } from '../../../src/migration/convert/people-settings.js';
import { Report } from '../../../src/migration/convert/report.js';
import { convertZitadel, type ZitadelSource } from '../../../src/migration/convert/zitadel/zitadel.js';
import { EXPORT_PARTS } from '../../../src/migration/parts.js';
import { MASTER_KEY } from './filler.js';

export type Org = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- a document is looked at in every way here

export interface Converted {
  readonly orgs: Org[];
  readonly report: Report;
  readonly text: string;
}

/** Converts with the master key, and everything else as it is by default. */
export async function convertFrom(databaseUrl: string, over: Partial<ZitadelSource> = {}): Promise<Converted> {
  const report = new Report('zitadel');
  const given = {
    databaseUrl,
    masterKey: MASTER_KEY,
    instanceId: '',
    orgIds: [],
    rpId: '',
    providers: new Map<string, string>(),
    extensions: [],
    inherits: true,
    people: USUAL_PEOPLE,
    ...over,
  };
  let text = '';
  for await (const piece of convertZitadel(given, report)) text += piece;
  return { orgs: (JSON.parse(text) as { orgs: Org[] }).orgs, report, text };
}

/** The document without members that the import does not know yet, if there are some. */
export function importable({ text }: Converted): { orgs: Org[] } {
  const { orgs } = JSON.parse(text) as { orgs: Org[] };
  for (const org of orgs) {
    if (!EXPORT_PARTS.some(({ member }) => member === 'orgMetadata')) delete org['orgMetadata'];
  }
  return { orgs };
}

export interface ReportNote {
  readonly important: boolean;
  readonly count: number;
  readonly examples: readonly string[];
}

export function notesOf(report: Report): ReadonlyMap<string, ReportNote> {
  const { notCarried } = report.toJson() as { notCarried: Array<ReportNote & { kind: string }> };
  return new Map(notCarried.map(({ kind, ...note }) => [kind, note]));
}
