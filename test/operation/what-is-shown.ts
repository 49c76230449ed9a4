import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { EXAMPLE } from '../../src/admin/kit/wire/example-ids.js';
import { documentText } from '../../src/process/description/document-text.js';
import { GrpcClient } from '../grpc/grpc-clients.js';
import { ReflectingTool } from '../grpc/reflecting-tool.js';
import { freePort } from '../support/free-port.js';
import { type Sent, sendUnchecked } from '../support/http.js';
import { type ServiceProcess, startProcess } from '../support/service-process.js';

/** What a service shows to tools and to callers, without what differs from one instance to the next. */
export interface Shown {
  /** As `npm run openapi` writes it. */
  readonly document: string;
  /** Whether the document in YAML is the one in JSON. */
  readonly yamlIsTheSame: boolean;
  readonly reference: string;
  /** Each service of gRPC with its methods, and each message with its fields. */
  readonly grpc: readonly string[];
  /** Names and kinds of the metrics. */
  readonly metrics: readonly string[];
  readonly answers: Readonly<Record<string, unknown>>;
}

const BASIC = { Authorization: 'Basic YTpi' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'Content-Type': 'application/json' };

/** One answer of each kind that is made by names of classes, of modules or of errors. */
const REQUESTS: readonly Sent[] = [
  { path: '/.well-known/openid-configuration' },
  { path: '/docs/settings.json' },
  { path: '/health/ready' },
  { path: '/nowhere' },
  { path: '/admin/v1/nowhere' },
  { path: '/admin/v1/orgs/_search' },
  { path: '/admin/v1/orgs/_search', method: 'POST' },
  { path: '/management/v1/projects/%zz' },
  { path: '/oauth/v2/authorize?client_id=nobody' },
  { path: '/oauth/v2/token', method: 'POST', headers: FORM, body: 'grant_type=magic' },
  { path: '/oauth/v2/token', method: 'POST', headers: { ...FORM, ...BASIC }, body: 'grant_type=client_credentials' },
  { path: '/oauth/v2/introspect', method: 'POST', headers: FORM, body: 'token=a&token=b' },
  { path: '/oidc/v1/userinfo', headers: { Authorization: 'Bearer no' } },
  { path: '/ui/login/nowhere' },
  { path: '/ui/account' },
];

/** The same for an administrator. */
const OF_ADMINISTRATOR: readonly Sent[] = [
  { path: '/admin/v1/extensions' },
  { path: '/management/v1/projects', method: 'POST', headers: JSON_BODY, body: '{"name":""}' },
  { path: '/management/v1/projects', method: 'POST', headers: JSON_BODY, body: '{' },
  { path: '/management/v1/projects', method: 'POST', headers: JSON_BODY, body: '{"name":1}' },
  { path: '/management/v1/projects/1', method: 'GET' },
  { path: '/admin/v1/import', method: 'POST', headers: JSON_BODY, body: '{"dataOrgs":{"orgs":[{"orgId":7}]}}' },
  { path: '/admin/v1/events/_search', method: 'POST', headers: JSON_BODY, body: '{"limit":"x"}' },
];

/** Starts the program with its arguments; the caller closes the service. */
export async function startAndLook(
  program: URL,
  args: readonly string[] = [],
): Promise<readonly [ServiceProcess, Shown]> {
  const metricsPort = String(await freePort());
  const service = await startProcess({ METRICS_PORT: metricsPort }, program, args);
  return [service, await whatIsShown(service, metricsPort)];
}

/** @param metricsPort where the service shows its metrics */
async function whatIsShown(service: ServiceProcess, metricsPort: string): Promise<Shown> {
  const { origin, dataDir } = service;
  const firstRun = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as Record<string, string>;
  const headers = { Authorization: `Bearer ${firstRun['pat']}` };
  const served = await sendUnchecked(origin, { path: '/docs-json' });
  const ids = await standingIdsOf(origin, served.text, firstRun);
  const plain = (text: string): string =>
    ids
      .reduce((rest, [id, example]) => rest.replaceAll(id, example), text)
      .replaceAll(firstRun['issuer']!, 'http://localhost:3000')
      .replaceAll(join(dataDir, 'admin.pat'), '.data/admin.pat');
  const yaml = await sendUnchecked(origin, { path: '/docs-yaml' });
  const reference = await sendUnchecked(origin, { path: '/docs/reference' });
  const asked = [
    ...REQUESTS,
    ...OF_ADMINISTRATOR.map((sent) => ({ ...sent, headers: { ...headers, ...sent.headers } })),
  ];
  const answers: Record<string, unknown> = {};
  for (const sent of asked) {
    const { status, headers: answered, text } = await sendUnchecked(origin, sent);
    answers[`${sent.method ?? 'GET'} ${sent.path} ${JSON.stringify(sent.body ?? '')}`] = {
      status,
      type: answered['content-type'],
      challenge: answered['www-authenticate'],
      text: withoutChance(plain(text)),
    };
  }
  return {
    document: documentText(JSON.parse(plain(served.text)) as object),
    yamlIsTheSame: JSON.stringify(load(yaml.text)) === JSON.stringify(JSON.parse(served.text)),
    reference: withoutChance(plain(reference.text)),
    grpc: await reflected(origin),
    metrics: await metricsAt(metricsPort),
    answers,
  };
}

/** The ids of this instance, with those that stand for them in examples. */
async function standingIdsOf(
  origin: string,
  document: string,
  { pat, projectId, orgId, adminUserId }: Readonly<Record<string, string>>,
): Promise<Array<[string, string]>> {
  const { 'x-instance': instance } = JSON.parse(document) as Record<'x-instance', string>;
  const applications = await sendUnchecked(origin, {
    method: 'POST',
    path: `/management/v1/projects/${projectId}/apps/_search`,
    headers: { ...JSON_BODY, Authorization: `Bearer ${pat}` },
    body: '{}',
  });
  const { result } = applications.json<{ result: ReadonlyArray<{ id: string; oidcConfig?: { clientId: string } }> }>();
  const swagger = result.find(({ oidcConfig }) => oidcConfig?.clientId === 'swagger');
  return [
    [instance, EXAMPLE.instance],
    [orgId!, EXAMPLE.org],
    [adminUserId!, EXAMPLE.administrator],
    [projectId!, EXAMPLE.systemProject],
    [swagger!.id, EXAMPLE.documentationApp],
  ];
}

/** Without numbers of references, form tokens, times and digests of files. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/Reference [\w-]+/g, 'Reference …')
    .replaceAll(/(name="\w+" value=")[\w.-]{16,}/g, '$1…')
    .replaceAll(/(&quot;challenge&quot;:&quot;)[\w-]+/g, '$1…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replaceAll(/\/assets\/[\w-]+/g, '/assets/…');
}

async function reflected(origin: string): Promise<string[]> {
  const client = new GrpcClient(origin);
  try {
    const tool = new ReflectingTool(client, 'v1');
    const services = (await tool.services()).filter((name) => !name.startsWith('grpc.reflection.'));
    for (const name of services) await tool.learn({ fileContainingSymbol: name });
    return [...tool.registry()].map((one) => {
      if (one.kind === 'service') return `${one.typeName}: ${one.methods.map(({ name }) => name).join(' ')}`;
      if (one.kind !== 'message') return `${one.kind} ${one.typeName}`;
      return `${one.typeName}: ${one.fields.map(({ name, number }) => `${name} ${number}`).join(' ')}`;
    });
  } finally {
    client.close();
  }
}

async function metricsAt(port: string): Promise<string[]> {
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`);
  return (await reply.text())
    .split('\n')
    .filter((line) => line.startsWith('# TYPE '))
    .sort();
}
