import { SERVICE_AIMS } from '../cases.mjs';
import { LIMITS, limitOf } from '../limits/limits.mjs';
import { besideTable } from './beside.mjs';
import { medianFigure } from './median.mjs';
import { ownAimsTable } from './own-aims.mjs';
import { percent, short, table, times } from './table.mjs';

/** Medians of the rounds, each beside its limit, the peer's figure and the aim. */
export function summarize(run) {
  const limits = medianFigure(run.limits);
  const peer = new Map(
    run.cases
      .filter(({ figures }) => figures.peer?.length)
      .map(({ name, figures }) => [name, medianFigure(figures.peer)]),
  );
  const cases = run.cases.map((measured) => {
    const ours = measured.figures.ours?.length ? medianFigure(measured.figures.ours) : undefined;
    const beside = peer.get(measured.peerCase ?? measured.name);
    const keycloak = measured.figures.keycloak?.length ? medianFigure(measured.figures.keycloak) : undefined;
    const limit = limitOf(measured.takes, limits);
    const shareOf = (figure) => figure && figure.perSecond / limit.perSecond;
    return {
      name: measured.name,
      ours: ours && { ...ours, shareOfLimit: shareOf(ours) },
      peer: measured.peerCase ? undefined : beside && { ...beside, shareOfLimit: shareOf(beside) },
      keycloak: keycloak && { ...keycloak, shareOfLimit: shareOf(keycloak) },
      limit,
      ...multiplesOf(ours, beside),
      besideKeycloak: ours &&
        keycloak && { ...multiplesOf(ours, keycloak), aim: measured.keycloakAim, scenario: measured.keycloak },
      aim: measured.aim,
      perSecondAim: measured.perSecondAim,
      limitAim: measured.limitAim,
      caseAim: measured.caseAim,
      hashAim: measured.hashAim,
      loopAimMs: measured.loopAimMs,
      withoutPeer: measured.withoutPeer,
      faults: measured.faults,
    };
  });
  const { ours, extended, before, peer: other, keycloak } = run;
  return { limits, cases, services: { ours, extended, before, peer: other, keycloak } };
}

export function print(summary, run, write) {
  const { machine, options } = run;
  write(
    `\n${machine.cpu}, ${machine.cores} cores, Node ${process.version}, PostgreSQL ${machine.version}, fsync ${machine.fsync}, synchronous_commit ${machine.commit}\n`,
  );
  write(
    `Server, PostgreSQL and load generator share these ${machine.cores} cores. ${options.concurrency} virtual clients, ${options.rounds} rounds of ${options.seconds} s in turn; medians.\n\n`,
  );
  write(
    `What this machine can do at most\n${table(
      ['limit', 'a second'],
      Object.entries(LIMITS).map(([name, title]) => [title, short(summary.limits[name])]),
    )}\n\n`,
  );
  write(`${table(HEADER, summary.cases.flatMap(rowsOf))}\n`);
  write('* others took more than 0.15 of a core meanwhile\n\n');
  write(`Beside the peer\n${table(['', 'multiple', 'by CPU', 'aim', ''], summary.cases.map(verdictOf))}\n\n`);
  const alsoKeycloak = summary.cases.filter(({ besideKeycloak }) => besideKeycloak);
  if (alsoKeycloak.length > 0)
    write(`Beside Keycloak\n${table(['', 'multiple', 'by CPU', 'aim', ''], alsoKeycloak.map(keycloakVerdictOf))}\n\n`);
  for (const form of ['extended', 'traced', 'before'])
    if (run[form]) write(`Beside itself, ${BESIDE[form]}\n${besideTable(run.cases, form)}\n\n`);
  const aimed = summary.cases.filter(({ ours, hashAim }) => ours && hashAim);
  if (aimed.length > 0)
    write(
      `Beside the machine\n${table(
        ['', 'share of limit', 'limit', 'hash of all CPU', 'aim', '', 'event loop p99', 'aim', ''],
        aimed.map((one) => machineVerdictOf(one, summary.limits)),
      )}\n\n`,
    );
  const ownAims = ownAimsTable(summary.cases);
  if (ownAims) write(`By itself\n${ownAims}\n\n`);
  const services = Object.entries(summary.services).filter(([, figures]) => figures);
  write(
    `${table(['', 'start', 'CPU of it', 'memory at rest', 'after load', 'at its highest'], services.map(serviceRow))}\n`,
  );
  write(
    `aims: start ≤ ${SERVICE_AIMS.startMs} ms on an existing database, memory ≤ ${SERVICE_AIMS.restMb} MB at rest, ≤ ${SERVICE_AIMS.loadedMb} MB after load\n`,
  );
  const profile = summary.services.ours?.profile;
  if (profile) write(`\n${profile}`);
  const faults = summary.cases.flatMap(({ faults: all }) => all);
  if (faults.length > 0)
    write(`\nNot measured, because of unexpected answers:\n${faults.map((fault) => `- ${fault}`).join('\n')}\n`);
}

const BESIDE = {
  extended: 'with an extension that is never asked',
  traced: 'with traces and metrics',
  before: 'as it was before',
};

/** More than this taken by others makes a figure doubtful. */
const NOISE_CORES = 0.15;

const HEADER = [
  '',
  '',
  'requests each',
  'a second',
  'p50 ms',
  'p95 ms',
  'p99 ms',
  'server CPU ms',
  'database CPU ms',
  'share of limit',
  'limit',
  'cores: server',
  'database',
  'load',
  'others',
];

function rowsOf({ name, ours, peer, keycloak, limit }) {
  const row = (title, who, figure) => [
    title,
    who,
    Math.round(figure.requestsEach),
    `${short(figure.perSecond)}${figure.otherCores > NOISE_CORES ? '*' : ''}`,
    ...['p50', 'p95', 'p99', 'serverCpuMs', 'databaseCpuMs'].map((member) => short(figure[member])),
    percent(figure.shareOfLimit),
    limit.name,
    ...['serverCores', 'databaseCores', 'generatorCores', 'otherCores'].map((member) =>
      figure[member] === undefined ? '–' : figure[member].toFixed(2),
    ),
  ];
  return Object.entries({ ours, peer, keycloak })
    .filter(([, figure]) => figure)
    .map(([who, figure], index) => row(index === 0 ? name : '', who, figure));
}

/** Of server and database together. NaN where the database runs elsewhere. */
function cpuMs({ serverCpuMs, databaseCpuMs }) {
  return serverCpuMs + databaseCpuMs;
}

/** How many times as much we do, and how many times the CPU of ours it takes. */
function multiplesOf(ours, other) {
  if (!ours || !other) return {};
  const cpuMultiple = cpuMs(other) / cpuMs(ours);
  return {
    multiple: ours.perSecond / other.perSecond,
    cpuMultiple: Number.isNaN(cpuMultiple) ? undefined : cpuMultiple,
  };
}

function keycloakVerdictOf({ name, besideKeycloak: { scenario, ...verdict } }) {
  return verdictOf({ name, ...verdict, withoutPeer: scenario === name ? undefined : `beside its ${scenario}` });
}

function verdictOf({ name, multiple, cpuMultiple, aim, withoutPeer }) {
  const reached =
    multiple !== undefined && aim !== undefined
      ? multiple >= aim
        ? `reached ${times(multiple)}`
        : `missed: ${times(multiple)}`
      : '';
  return [
    name,
    times(multiple),
    times(cpuMultiple),
    aim ? `≥ ${aim} ×` : '',
    [reached, withoutPeer].filter(Boolean).join(' · '),
  ];
}

/**
 * `hash of all CPU`: what the hash is of all that server, database and generator took for one operation; no share of the limit can be above it
 * for long. It is what the threads took that make it, in the same run, without the signature that they also make.
 */
function machineVerdictOf({ name, ours, limit, hashAim, loopAimMs }, { rs256 }) {
  const { shareOfLimit, loopP99Ms, perSecond, generatorCores, poolCpuMs } = ours;
  const hashShare = (poolCpuMs - 1000 / rs256) / (cpuMs(ours) + (generatorCores * 1000) / perSecond);
  return [
    name,
    percent(shareOfLimit),
    limit.name,
    Number.isNaN(hashShare) ? '–' : percent(hashShare),
    `≥ ${percent(hashAim)}`,
    Number.isNaN(hashShare) ? '' : hashShare >= hashAim ? 'reached' : 'missed',
    `${short(loopP99Ms)} ms`,
    `< ${loopAimMs} ms`,
    loopP99Ms < loopAimMs ? 'reached' : 'missed',
  ];
}

function serviceRow([name, { startMs, startCpuMs, restMb, loadedMb, peakMb }]) {
  const mb = (value) => (value === undefined ? '–' : `${value} MB`);
  const ms = (value) => (value === undefined ? '–' : `${Math.round(value)} ms`);
  return [name, ms(startMs), ms(startCpuMs), mb(restMb), mb(loadedMb), mb(peakMb)];
}
