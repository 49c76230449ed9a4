const SECOND = 1_000_000_000;

/**
 * What the last stage of a Dockerfile says about how the image runs, so that the two ways to build it cannot differ.
 * @param {string} text of the Dockerfile
 * @param {Record<string, string>} args build arguments, in place of their defaults
 * @returns {{ config: object, labels: Record<string, string> }} `config` of the OCI Image Configuration
 */
export function configOf(text, args) {
  const lines = text.replace(/\\\n\s*/g, '').split('\n');
  const stage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  const defaults = Object.fromEntries(
    [...text.matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
  );
  const filled = (value) => value.replace(/\$(\w+)/g, (_, name) => args[name] ?? defaults[name] ?? '');
  const all = (instruction) =>
    stage.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));
  const pairs = (instruction) =>
    Object.fromEntries(
      [
        ...all(instruction)
          .join(' ')
          .matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g),
      ].map(([, name, quoted, plain]) => [name, filled(quoted ?? plain)]),
    );
  const words = (instruction) => JSON.parse(/\[.*\]$/.exec(all(instruction).at(-1))[0]);
  const labels = pairs('LABEL');
  return {
    labels,
    config: {
      User: '1000:1000',
      ExposedPorts: Object.fromEntries(all('EXPOSE').map((port) => [`${port}/tcp`, {}])),
      Env: [
        'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        ...Object.entries(pairs('ENV')).map((pair) => pair.join('=')),
      ],
      Entrypoint: words('ENTRYPOINT'),
      Cmd: words('CMD'),
      WorkingDir: all('WORKDIR').at(-1),
      Labels: labels,
      Healthcheck: { Test: ['CMD', ...words('HEALTHCHECK')], ...healthOptions(all('HEALTHCHECK').at(-1)) },
    },
  };
}

/** Docker's addition to the configuration, which others ignore. */
function healthOptions(line) {
  const seconds = (name) => Number(new RegExp(`--${name}=(\\d+)s`).exec(line)[1]) * SECOND;
  return {
    Interval: seconds('interval'),
    Timeout: seconds('timeout'),
    StartPeriod: seconds('start-period'),
    Retries: Number(/--retries=(\d+)/.exec(line)[1]),
  };
}
