// Checks compose.yaml and the Kubernetes manifests with the tools of their own worlds. They come from the Go proxy and PyPI, at fixed
// versions, into a folder of their own; what needs a program that is missing is skipped and said.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const ROOT = new URL('../..', import.meta.url).pathname;
const TOOLS = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'gatehouse-trials');
const KUBE_SCORE = 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0';
const KUBERNETES_VALIDATE = 'kubernetes-validate';
const COMPOSE_GO = 'github.com/compose-spec/compose-go/v2@v2.16.2';
const MANIFEST = 'deploy/kubernetes/gatehouse.yaml';

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

/** Without a limit of CPU, on purpose: it would slow password hashes down. */
function score() {
  const program = join(TOOLS, 'kube-score');
  if (!existsSync(program)) {
    mkdirSync(TOOLS, { recursive: true });
    execFileSync('go', ['install', KUBE_SCORE], { env: { ...process.env, GOBIN: TOOLS }, stdio: 'inherit' });
  }
  const { isGood, output } = run(program, ['score', '--exit-one-on-warning', '--ignore-container-cpu-limit', MANIFEST]);
  report(`${MANIFEST} by kube-score`, isGood, output);
}

function validate() {
  const environment = join(TOOLS, 'python');
  const program = join(environment, 'bin', 'kubernetes-validate');
  if (!existsSync(program)) {
    execFileSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' });
    execFileSync(join(environment, 'bin', 'pip'), ['-q', 'install', KUBERNETES_VALIDATE], { stdio: 'inherit' });
  }
  const { isGood, output } = run(program, ['--strict', MANIFEST]);
  report(`${MANIFEST} against the schemas of Kubernetes`, isGood, output);
}

if (spawnSync('go', ['version']).error) console.log('skipped: there is no go for compose-go and kube-score');
else {
  composition();
  score();
}
if (has('python3')) validate();
else console.log('skipped: there is no python3 for kubernetes-validate');
process.exitCode = failed ? 1 : 0;
