import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { load, loadAll } from 'js-yaml';
import { parseConfig } from '../../src/foundation/config/parse-config.js';
import { settings } from './settings.js';

const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** What a stop takes at most in production: DRAIN_SECONDS, the last requests, the database. */
const STOP_SECONDS = 5 + 15 + 5;
/** After this long Gatehouse closes a connection without requests; a proxy that then sends one gets no answer. */
const IDLE_SECONDS = 61;

/** A directive of nginx with what it contains. */
interface Directive {
  readonly name: string;
  readonly values: readonly string[];
  readonly inside: readonly Directive[];
}

function parseNginx(text: string): Directive[] {
  const tokens = text.replace(/#.*$/gm, '').match(/"[^"]*"|[{};]|[^\s{};]+/g) ?? [];
  let at = 0;
  const block = (): Directive[] => {
    const found: Directive[] = [];
    let words: string[] = [];
    for (; at < tokens.length; at += 1) {
      const token = tokens[at]!;
      if (token === '}') return found;
      if (token === ';' || token === '{') {
        const [name = '', ...values] = words;
        words = [];
        let inside: Directive[] = [];
        if (token === '{') {
          at += 1;
          inside = block();
        }
        found.push({ name, values, inside });
      } else words.push(token);
    }
    return found;
  };
  return block();
}

const named = (directives: readonly Directive[], name: string): Directive[] =>
  directives.filter((directive) => directive.name === name);

const pairs = (directives: readonly Directive[]): Record<string, string> =>
  Object.fromEntries(directives.map(({ values: [name = '', value = ''] }) => [name.toLowerCase(), value]));

const flat = (directives: readonly Directive[]): Directive[] =>
  directives.flatMap((directive) => [directive, ...flat(directive.inside)]);

/** At a host that asks for no certificate, nobody may claim to have shown one. */
const NO_CERTIFICATE = { 'x-client-cert': '""', 'x-client-verify': '""' };

/** Of TLS 1.2: BCP 195, FAPI 2.0 Security Profile §5.2.2. */
const CIPHERS = ['ECDSA', 'RSA'].flatMap((kind) =>
  ['AES128-GCM-SHA256', 'AES256-GCM-SHA384'].map((cipher) => `ECDHE-${kind}-${cipher}`),
);

describe('The ciphers of TLS 1.2', () => {
  it.each([
    ['deploy/nginx/gatehouse.conf', /^ *ssl_ciphers (\S+);$/m],
    ['deploy/nginx/gatehouse-mtls.conf', /^ *ssl_ciphers (\S+);$/m],
    ['deploy/haproxy/haproxy.cfg', /^ *ssl-default-bind-ciphers (\S+)$/m],
    ['deploy/kubernetes/gatehouse.yaml', /ssl-ciphers: (\S+)$/m],
    ['docs/stricter-applications.md', /^ECDHE-\S+$/m],
  ])('are those of ECDHE with AES-GCM, and no others: %s', (file, pattern) => {
    const [whole, list = whole] = pattern.exec(textOf(file)) ?? [];
    expect(list?.split(':').sort()).toEqual([...CIPHERS].sort());
  });

  it.each(['deploy/caddy/Caddyfile', 'deploy/caddy/Caddyfile.mtls'])('by the names of IANA: %s', (file) => {
    const list = /^\s*ciphers (.*)$/m.exec(textOf(file))?.[1]?.split(' ');
    const named = CIPHERS.map((cipher) =>
      cipher.replace('ECDHE-', 'TLS_ECDHE_').replace('-AES', '_WITH_AES_').replaceAll('-', '_'),
    );
    expect(list?.sort()).toEqual(named.sort());
  });
});

describe('deploy/nginx/gatehouse.conf', () => {
  const all = parseNginx(textOf('deploy/nginx/gatehouse.conf'));
  const [tls, plain] = named(all, 'server') as [Directive, Directive];
  const locations = named(tls.inside, 'location');

  it('gives Gatehouse the address of the client, never what the client has sent, and the host, at each location', () => {
    const proxied = locations.filter(({ inside }) => named(inside, 'proxy_pass').length > 0);
    expect(proxied.length).toBeGreaterThan(2);
    for (const { inside, values } of proxied) {
      // nginx inherits these only where a location sets none of its own.
      const own = named(inside, 'proxy_set_header');
      const headers = pairs(own.length > 0 ? own : named(tls.inside, 'proxy_set_header'));
      expect({ location: values, headers }).toEqual({
        location: values,
        headers: { connection: '""', host: '$host', 'x-forwarded-for': '$remote_addr', ...NO_CERTIFICATE },
      });
    }
    for (const { inside } of locations.filter(({ inside: parts }) => named(parts, 'grpc_pass').length > 0))
      expect(pairs(named(inside, 'grpc_set_header'))).toMatchObject({
        'x-forwarded-for': '$remote_addr',
        ...NO_CERTIFICATE,
      });
  });

  it('removes and replaces no header of an answer', () => {
    const changing = /^(add_header|proxy_hide_header|proxy_pass_header|grpc_hide_header|more_\w+)$/;
    expect(flat(all).filter(({ name }) => changing.test(name))).toEqual([]);
  });

  it('closes idle connections before Gatehouse does', () => {
    const limits = flat(all).filter(({ name }) => name === 'keepalive_timeout');
    expect(limits).toHaveLength(2);
    for (const { values } of limits) expect(Number.parseInt(values[0]!, 10)).toBeLessThan(IDLE_SECONDS);
  });

  it('limits how often an address begins a sign-in, and says 429', () => {
    const authorize = locations.find(({ values }) => values[0] === '/oauth/v2/authorize')!;
    expect(named(authorize.inside, 'limit_req')).toHaveLength(1);
    expect(named(all, 'limit_req_status')[0]!.values).toEqual(['429']);
  });

  it('passes documents of any size and duration on as they come', () => {
    const documents = locations.find(({ values }) => values.join(' ').includes('export|import'))!;
    expect(
      pairs(documents.inside.map(({ name, values }) => ({ name, values: [name, ...values], inside: [] }))),
    ).toMatchObject({
      client_max_body_size: '0',
      proxy_request_buffering: 'off',
      proxy_buffering: 'off',
    });
  });

  it('serves nothing without TLS, and no version below 1.2', () => {
    expect(plain.inside.map(({ name }) => name)).toEqual(['listen', 'server_name', 'return']);
    expect(named(plain.inside, 'return')[0]!.values).toEqual(['301', 'https://$host$request_uri']);
    expect(named(tls.inside, 'ssl_protocols')[0]!.values).toEqual(['TLSv1.2', 'TLSv1.3']);
  });
});

describe('deploy/nginx/gatehouse-mtls.conf', () => {
  const [server] = named(parseNginx(textOf('deploy/nginx/gatehouse-mtls.conf')), 'server') as [Directive];

  it('says what it has seen of a certificate, wherever it passes a request on', () => {
    const said = { 'x-client-cert': '$ssl_client_escaped_cert', 'x-client-verify': '$ssl_client_verify' };
    expect(pairs(named(server.inside, 'proxy_set_header'))).toMatchObject(said);
    // A location with headers of its own would inherit none of these.
    for (const { inside } of named(server.inside, 'location')) expect(named(inside, 'proxy_set_header')).toEqual([]);
  });

  it('names no authorities in the handshake, and lets self-signed certificates pass', () => {
    expect(named(server.inside, 'ssl_verify_client')[0]!.values).toEqual(['optional_no_ca']);
    expect(named(server.inside, 'ssl_trusted_certificate')).toHaveLength(1);
    expect(named(server.inside, 'ssl_client_certificate')).toEqual([]);
  });
});

describe('deploy/haproxy/haproxy.cfg', () => {
  const lines = textOf('deploy/haproxy/haproxy.cfg')
    .split('\n')
    .map((line) => line.replace(/\s*#.*/, '').trim());

  it('replaces what a client has sent: its address, a certificate, and a verdict about it', () => {
    for (const header of ['X-Client-Cert', 'X-Client-Verify']) {
      const removed = lines.indexOf(`http-request del-header ${header}`);
      const set = lines.findIndex((line) => line.startsWith(`http-request set-header ${header} `));
      expect([removed >= 0, set > removed]).toEqual([true, true]);
      expect(lines[set]).toMatch(/ if \{ ssl_c_used \}$/);
    }
    expect(lines).toContain('http-request set-header X-Forwarded-For %[src]');
  });

  it('closes idle connections before Gatehouse does', () => {
    expect(Number(/timeout http-keep-alive (\d+)s/.exec(lines.join('\n'))?.[1])).toBeLessThan(IDLE_SECONDS);
  });
});

describe('deploy/haproxy/haproxy.cfg, for strangers', () => {
  it('limits how often an address begins a sign-in, and says 429', () => {
    const text = textOf('deploy/haproxy/haproxy.cfg');
    expect(text).toMatch(/acl begins_sign_in path \/oauth\/v2\/authorize /);
    expect(text).toMatch(/deny_status 429 if begins_sign_in/);
  });
});

describe('deploy/caddy/Caddyfile, for strangers', () => {
  it('says by which module it limits how often an address begins a sign-in', () => {
    expect(textOf('deploy/caddy/Caddyfile')).toMatch(/caddy-ratelimit:[\s\S]*path \/oauth\/v2\/authorize\n/);
  });
});

describe('deploy/caddy/Caddyfile', () => {
  const text = textOf('deploy/caddy/Caddyfile').replace(/^\s*#.*$/gm, '');

  it('leaves X-Forwarded-For to Caddy, which replaces what a client has sent, and removes no header of an answer', () => {
    expect(text).not.toMatch(/header_up|header_down|trusted_proxies|^\s*header\s/m);
  });

  it('takes from clients what only a proxy may say of a certificate', () => {
    for (const header of ['X-Client-Cert', 'X-Client-Verify']) expect(text).toContain(`request_header -${header}\n`);
  });

  it('has a file for the host with certificates, which replaces both and verifies every chain', () => {
    const other = textOf('deploy/caddy/Caddyfile.mtls');
    expect(other).toContain('header_up X-Client-Cert {http.request.tls.client.certificate_der_base64}');
    expect(other).toContain('header_up X-Client-Verify SUCCESS');
    expect(other).toContain('mode require_and_verify');
  });

  it('passes gRPC on over HTTP/2, and everything else with idle connections shorter than those of Gatehouse', () => {
    expect(text).toMatch(/@grpc header Content-Type application\/grpc\*\s+reverse_proxy @grpc h2c:\/\//);
    expect(Number(/keepalive (\d+)s/.exec(text)?.[1])).toBeLessThan(IDLE_SECONDS);
  });
});

interface Container {
  readonly env: ReadonlyArray<{ name: string; value: string }>;
  readonly ports: ReadonlyArray<{ name: string; containerPort: number }>;
  readonly securityContext: object;
  readonly [probe: string]: unknown;
}
interface Manifest {
  readonly kind: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a document of another system, whose schema its own tool checks
  readonly spec: any;
}

describe('deploy/kubernetes/gatehouse.yaml', () => {
  const manifests = loadAll(textOf('deploy/kubernetes/gatehouse.yaml')) as Manifest[];
  const specOf = (kind: string): Manifest['spec'] => manifests.find((manifest) => manifest.kind === kind)!.spec;
  const pod = specOf('Deployment').template;
  const [container] = pod.spec.containers as [Container];

  it('sets only settings that there are', () => {
    expect(container.env.map(({ name }) => name).filter((name) => !settings().includes(name))).toEqual([]);
  });

  it('asks for readiness and liveness where Gatehouse answers, and lets a stop end by itself', () => {
    const pathOf = (probe: string): unknown => (container[probe] as { httpGet: { path: string } }).httpGet.path;
    expect(['startupProbe', 'livenessProbe', 'readinessProbe'].map(pathOf)).toEqual([
      '/health/live',
      '/health/live',
      '/health/ready',
    ]);
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(STOP_SECONDS);
  });

  it('leads from the ingress to the service to the pods, and to the metrics', () => {
    const { labels, annotations } = pod.metadata;
    expect(specOf('Service').selector).toEqual(labels);
    expect(specOf('Deployment').selector.matchLabels).toEqual(labels);
    expect(specOf('PodDisruptionBudget').selector.matchLabels).toEqual(labels);
    const names = container.ports.map(({ name }) => name);
    expect(names).toContain(specOf('Service').ports[0].targetPort);
    const { backend } = specOf('Ingress').rules[0].http.paths[0];
    expect(backend.service.port.name).toBe(specOf('Service').ports[0].name);
    const metrics = container.env.find(({ name }) => name === 'METRICS_PORT')!.value;
    expect(annotations['prometheus.io/port']).toBe(metrics);
    expect(container.ports.find(({ name }) => name === 'metrics')!.containerPort).toBe(Number(metrics));
  });

  it('takes requests from the ingress controller alone, whose word about clients is believed', () => {
    const rules = specOf('NetworkPolicy').ingress as Array<{ from?: object[]; ports: Array<{ port: string }> }>;
    expect(rules.map(({ ports }) => ports.map(({ port }) => port))).toEqual([['http'], ['metrics']]);
    for (const { from } of rules)
      expect(from).toEqual([
        { namespaceSelector: { matchExpressions: [expect.objectContaining({ operator: 'In' })] } },
      ]);
  });

  it('believes the word of a network, not of a whole private one', () => {
    const proxies = container.env.find(({ name }) => name === 'TRUSTED_PROXIES')!.value.split(',');
    for (const proxy of proxies) expect(Number(proxy.split('/')[1])).toBeGreaterThanOrEqual(16);
  });

  it('remembers used proofs of keys for all of its replicas', () => {
    expect(specOf('Deployment').replicas).toBeGreaterThan(1);
    const set = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    const secret = {
      DATABASE_URL: 'postgresql://db/gatehouse',
      MASTER_KEY: 'a key of a deployment',
      NODE_ENV: 'production',
    };
    expect(parseConfig({ ...set, ...secret }, { readFile: () => '', terminal: false }).token.proofReplay).toBe(
      'shared',
    );
  });

  it('limits how often an address begins a sign-in', () => {
    const [, authorize] = manifests.filter(({ kind }) => kind === 'Ingress');
    expect(authorize!.spec.rules[0].http.paths[0].path).toBe('/oauth/v2/authorize');
    expect(textOf('deploy/kubernetes/gatehouse.yaml')).toMatch(/ingress\.kubernetes\.io\/limit-rps: "\d+"/);
  });

  it('runs without privileges, on a file system that it cannot write to', () => {
    expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });
});

interface Composition {
  readonly services: Readonly<
    Record<string, { environment: Record<string, string>; stop_grace_period: string; env_file: unknown }>
  >;
}

describe('compose.yaml, whichever service', () => {
  it.each(Object.entries((load(textOf('compose.yaml')) as Composition).services))(
    '%s cannot gain privileges, has only those that its start needs, and writes to its volumes alone',
    (_, service) => {
      expect(service).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], read_only: true });
    },
  );
});

describe('compose.yaml', () => {
  const { gatehouse } = (load(textOf('compose.yaml')) as Composition).services as Required<Composition['services']>;

  it('passes every setting on: all of .env, and beside it only settings that there are', () => {
    expect(gatehouse!.env_file).toEqual([{ path: '.env', required: false }]);
    expect(Object.keys(gatehouse!.environment).filter((name) => !settings().includes(name))).toEqual([]);
  });

  it('lets a stop end by itself', () => {
    expect(Number.parseInt(gatehouse!.stop_grace_period, 10)).toBeGreaterThanOrEqual(STOP_SECONDS);
  });
});

describe('deploy/systemd/gatehouse.service', () => {
  const unit = textOf('deploy/systemd/gatehouse.service');
  const valueOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  it('starts what `npm ci` and `npm run build` have made, and lets a stop end by itself', () => {
    expect(valueOf('ExecStart')).toMatch(/^\/opt\/gatehouse\/node_modules\/\.bin\/node .*dist\/main\.js$/);
    expect(valueOf('WorkingDirectory')).toBe('/opt/gatehouse');
    expect(existsSync(new URL('../../src/main.ts', import.meta.url))).toBe(true);
    expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThanOrEqual(STOP_SECONDS);
  });

  it('signals the service alone, which ends its own processes', () => {
    expect(valueOf('KillMode')).toBe('mixed');
  });
});

describe('deploy/pgbouncer/pgbouncer.ini', () => {
  const ini = textOf('deploy/pgbouncer/pgbouncer.ini');

  it('is the mode that DATABASE_DIRECT_URL is for, and hides no refused parameter of a session', () => {
    expect(ini).toMatch(/^pool_mode = transaction$/m);
    expect(ini).not.toMatch(/^ignore_startup_parameters/m);
  });

  it('looks for the new primary of a failover at once', () => {
    expect(ini).toMatch(/^server_login_retry = 1$/m);
  });
});

describe('deploy/patroni', () => {
  const { bootstrap } = load(textOf('deploy/patroni/patroni.yml')) as { bootstrap: { dcs: Record<string, number> } };
  const { ttl, loop_wait: wait, retry_timeout: retry, ...dcs } = bootstrap.dcs;

  it('promotes nobody without all that was answered, and does not wait for a server that has died', () => {
    expect(dcs).toMatchObject({ synchronous_mode: true, primary_start_timeout: 0 });
    expect(ttl).toBeGreaterThanOrEqual(wait! + 2 * retry!);
  });

  it('leads to the primary alone, and closes connections to any other', () => {
    const proxy = textOf('deploy/patroni/haproxy.cfg');
    expect(proxy).toMatch(/^ +option httpchk OPTIONS \/primary$/m);
    expect(proxy).toMatch(/^ +default-server .* on-marked-down shutdown-sessions$/m);
  });
});
