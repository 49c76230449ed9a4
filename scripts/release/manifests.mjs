/*
 * deploy/kubernetes/gatehouse.yaml is what the chart makes of its own values. "--write" writes it anew; without, a difference is a mistake.
 * HELM names the program, if it is not on the path; where there is none, that is said, and is no failure of the change.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
export const CHART = 'deploy/helm/gatehouse';
export const MANIFEST = 'deploy/kubernetes/gatehouse.yaml';
/** Helm as Go installs it takes the cluster for one of long ago. */
export const KUBERNETES = '1.37.0';
const HEADER = `# Made of ${CHART} by "node scripts/release/manifests.mjs --write", for those who do not use Helm: change the chart.
# Two replicas on an existing PostgreSQL. Push the image (docs/releasing.md), and create the secret first:
#   kubectl create secret generic gatehouse --from-literal=DATABASE_URL=postgresql://… --from-literal=MASTER_KEY="$(openssl rand -hex 32)" \\
#     --from-literal=FIRST_ADMIN_PASSWORD=…
# Behind a pooler, also --from-literal=DATABASE_DIRECT_URL=postgresql://… of the server itself.
`;

/**
 * @param {string} helm the program
 * @returns {string} the manifests
 */
export function rendered(helm) {
  const { status, stdout, stderr } = spawnSync(helm, ['template', 'gatehouse', CHART, '--kube-version', KUBERNETES], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return HEADER + stdout.replace(/^# Source: .*\n/gm, '').replace(/^---\n/, '');
}

if (process.argv[1] === import.meta.filename) {
  const helm = process.env.HELM ?? 'helm';
  if (spawnSync(helm, ['version']).error)
    console.log(`NOT COMPARED: there is no Helm to make ${MANIFEST} of the chart.`);
  else if (process.argv.includes('--write')) writeFileSync(join(root, MANIFEST), rendered(helm));
  else if (readFileSync(join(root, MANIFEST), 'utf8') !== rendered(helm)) {
    console.error(`${MANIFEST} is not what ${CHART} makes: run "node scripts/release/manifests.mjs --write".`);
    process.exitCode = 1;
  } else console.log(`${MANIFEST} is what ${CHART} makes.`);
}
