import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The kernel's unit in /proc: 100 a second on every Linux that Node runs on. */
const MS_PER_TICK = 10;

/** CPU that a process has taken so far, with all its threads. Undefined where there is no /proc. */
export function cpuMs(pid) {
  const stat = readStat(pid);
  return stat && (stat.user + stat.system) * MS_PER_TICK;
}

/** CPU of the threads on which a Node process hashes and signs. */
export function poolCpuMs(pid) {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return undefined;
  return readdirSync(threads)
    .filter((id) => readOrNothing(`${threads}/${id}/comm`)?.trim() === 'libuv-worker')
    .reduce((sum, id) => sum + (cpuMs(`${pid}/task/${id}`) ?? 0), 0);
}

/**
 * CPU of a whole PostgreSQL: the postmaster, what it inherited from backends that ended, and all living ones.
 * @param {number} postmaster its process id
 */
export function postgresCpuMs(postmaster) {
  const own = readStat(postmaster);
  if (!own) return undefined;
  let ticks = own.user + own.system + own.endedChildren;
  for (const { stat } of childrenOf(postmaster)) ticks += stat.user + stat.system;
  return ticks * MS_PER_TICK;
}

/** CPU of a process and of those that it has started. */
export function familyCpuMs(parent) {
  return childrenOf(parent).reduce((sum, { pid }) => sum + (cpuMs(pid) ?? 0), cpuMs(parent));
}

/** CPU that the whole machine has taken. */
export function machineCpuMs() {
  const line = readOrNothing('/proc/stat')?.split('\n', 1)[0];
  if (!line) return undefined;
  const [user, nice, system, , , irq, softirq, steal] = line.trim().split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) * MS_PER_TICK;
}

/** Resident memory in MB: now, and the most it ever was. */
export function memoryMb(pid) {
  const status = readOrNothing(`/proc/${pid}/status`);
  if (!status) return undefined;
  const read = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024);
  return { resident: read('VmRSS'), peak: read('VmHWM') };
}

/** The postmaster above one of its backends; undefined when the backend runs on another machine. */
export function postmasterOf(backend) {
  const command = readOrNothing(`/proc/${backend}/cmdline`);
  return command?.startsWith('postgres:') ? readStat(backend)?.parent : undefined;
}

/** The process that a script waits for; undefined where there is no /proc. */
export function childOf(pid) {
  return readStat(pid) && childrenOf(pid)[0]?.pid;
}

function childrenOf(parent) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), stat: readStat(name) }))
    .filter(({ stat }) => stat?.parent === parent);
}

function readStat(pid) {
  const text = readOrNothing(`/proc/${pid}/stat`);
  if (!text) return undefined;
  // The second field is the program's name in parentheses and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    parent: Number(fields[1]),
    user: Number(fields[11]),
    system: Number(fields[12]),
    endedChildren: Number(fields[13]) + Number(fields[14]),
  };
}

function readOrNothing(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
