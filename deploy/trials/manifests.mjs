// Checks compose.yaml, the chart and the Kubernetes manifests with the tools of their own worlds. They come from the Go proxy and PyPI, at fixed
// versions, into a folder of their own; what needs a program that is missing is skipped and said.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CHART, KUBERNETES, MANIFEST, rendered } from '../../scripts/release/manifests.mjs';

const ROOT = new URL('../..', import.meta.url).pathname;
const TOOLS = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'gatehouse-trials');
const KUBE_SCORE = 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0';
const KUBERNETES_VALIDATE = 'kubernetes-validate';
const COMPOSE_GO = 'github.com/compose-spec/compose-go/v2@v2.16.2';
const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0';

/** Loads a composition as `docker compose config` does: schema, variables, profiles. */
const LOADER = `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	options, err := cli.NewProjectOptions(os.Args[1:], cli.WithOsEnv, cli.WithProfiles([]string{"*"}), cli.WithName("gatehouse"))
	if err == nil {
		if project, broken := options.LoadProject(context.Background()); broken != nil {
			err = broken
		} else {
			fmt.Println(project.ServiceNames())
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`;

let failed = false;
const report = (what, isGood, output = '') => {
  failed ||= !isGood;
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${what}${isGood ? '' : `\n${output}`}`);
};
const has = (program) => spawnSync(program, ['--version']).error === undefined;
const run = (program, args, options = {}) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8', ...options });
  return { isGood: status === 0, output: `${stdout}${stderr}` };
};

function composition() {
  const folder = join(TOOLS, 'compose');
  const loader = join(folder, 'loader');
  if (!existsSync(loader)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'main.go'), LOADER);
    const go = (...args) => execFileSync('go', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    if (!existsSync(join(folder, 'go.mod'))) go('mod', 'init', 'trial');
    go('get', COMPOSE_GO);
    go('mod', 'tidy');
    go('build', '-o', loader, '.');
  }
  const set = { ...process.env, POSTGRES_PASSWORD: 'letters', MASTER_KEY: 'a master key of a trial' };
  const loaded = run(loader, ['compose.yaml'], { env: set });
  report(`compose.yaml is loaded with all profiles: ${loaded.output.trim()}`, loaded.isGood, loaded.output);
  const refused = run(loader, ['compose.yaml'], { env: { ...set, POSTGRES_PASSWORD: '' } });
  const isNamed = !refused.isGood && refused.output.includes('Set POSTGRES_PASSWORD in .env');
  report('compose.yaml without a password names what is missing', isNamed, refused.output);
}

/** Everything that the chart can do at once: the manifests in the repository are those of its own values. */
const ALL = {
  image: { digest: `sha256:${'0'.repeat(64)}` },
  database: { secret: 'gatehouse-app', pooler: { secret: 'gatehouse-pooler' } },
  settings: { EXTENSIONS: 'scim', DRAIN_SECONDS: 10 },
  configMap: 'gatehouse',
  certificates: {
    header: 'ssl-client-cert',
    verifyHeader: 'ssl-client-verify',
    url: 'https://mtls.example.com:8443',
    ingress: { enabled: true, annotations: { 'nginx.ingress.kubernetes.io/auth-tls-verify-client': 'optional_no_ca' } },
  },
  ingress: { className: 'haproxy', authorizeAnnotations: null },
  networkPolicy: { ingressNamespaces: ['haproxy', 'gateway'] },
  autoscaling: { enabled: true },
  imagePullSecrets: [{ name: 'registry' }],
  nodeSelector: { 'kubernetes.io/arch': 'arm64' },
  tolerations: [{ key: 'identity', operator: 'Exists' }],
  priorityClassName: 'important',
  podAnnotations: { team: 'identity' },
};
/** Values that have to be refused, each with a word of the refusal. */
const REFUSED = [
  [{ publicUrl: 'http://id.example.com' }, 'publicUrl'],
  [{ settings: { MASTER_KEY: 'letters' } }, 'MASTER_KEY'],
  [{ replica: 3 }, 'replica'],
  [{ trustedProxies: '10.0.0.0/8' }, 'trustedProxies'],
  [{ trustedProxies: '0.0.0.0/0, 192.0.2.1' }, 'trustedProxies'],
  [{ settings: { DPOP_REPLAY: 'process' } }, 'DPOP_REPLAY'],
  [{ certificates: { ingress: { enabled: true } } }, 'certificates.url'],
  [{ terminationGracePeriodSeconds: 10 }, 'terminationGracePeriodSeconds'],
  [{ networkPolicy: { ingressNamespaces: [] } }, 'ingressNamespaces'],
];

/** @returns the files to check: the manifests of the repository, and those with everything */
function chart() {
  const program = join(TOOLS, 'helm');
  if (!existsSync(program)) {
    mkdirSync(TOOLS, { recursive: true });
    execFileSync('go', ['install', HELM], { env: { ...process.env, GOBIN: TOOLS }, stdio: 'inherit' });
  }
  const lint = run(program, ['lint', '--strict', '--kube-version', KUBERNETES, CHART]);
  report(`${CHART} by helm lint`, lint.isGood, lint.output);
  report(`${MANIFEST} is what the chart makes`, readFileSync(join(ROOT, MANIFEST), 'utf8') === rendered(program));
  const template = (values) => {
    const file = join(TOOLS, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    return run(program, ['template', 'trial', CHART, '--kube-version', KUBERNETES, '--values', file]);
  };
  for (const [values, word] of REFUSED) {
    const { isGood, output } = template(values);
    report(`the chart refuses ${JSON.stringify(values)}`, !isGood && output.includes(word), output);
  }
  const all = template(ALL);
  report('the chart with everything', all.isGood, all.output);
  const file = join(TOOLS, 'everything.yaml');
  writeFileSync(file, all.output);
  return [MANIFEST, file];
}

/** Without a limit of CPU, on purpose: it would slow password hashes down. */
function score(files) {
  const program = join(TOOLS, 'kube-score');
  if (!existsSync(program)) {
    mkdirSync(TOOLS, { recursive: true });
    execFileSync('go', ['install', KUBE_SCORE], { env: { ...process.env, GOBIN: TOOLS }, stdio: 'inherit' });
  }
  for (const file of files) {
    const { isGood, output } = run(program, ['score', '--exit-one-on-warning', '--ignore-container-cpu-limit', file]);
    report(`${file} by kube-score`, isGood, output);
  }
}

function validate(files) {
  const environment = join(TOOLS, 'python');
  const program = join(environment, 'bin', 'kubernetes-validate');
  if (!existsSync(program)) {
    execFileSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' });
    execFileSync(join(environment, 'bin', 'pip'), ['-q', 'install', KUBERNETES_VALIDATE], { stdio: 'inherit' });
  }
  for (const file of files) {
    const { isGood, output } = run(program, ['--strict', file]);
    report(`${file} against the schemas of Kubernetes`, isGood, output);
  }
}

let files = [MANIFEST];
if (spawnSync('go', ['version']).error) console.log('skipped: there is no go for compose-go, Helm and kube-score');
else {
  composition();
  files = chart();
  score(files);
}
if (has('python3')) validate(files);
else console.log('skipped: there is no python3 for kubernetes-validate');
process.exitCode = failed ? 1 : 0;
