import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inDatabase } from './database.mjs';

const EVERY_MS = 100;
const LIMIT_MS = 1_000;

/** Whether the database takes a change over a new connection, and beside that what each process says of it. */
export class Watch {
  isOver = false;

  constructor(url, origins) {
    this.database = this.ask(() => canWrite(url));
    this.processes = origins.map((origin) => this.ask(() => isReady(origin)));
    this.all = [this.database, ...this.processes];
  }

  static async start(url, origins) {
    await inDatabase(url, 'CREATE TABLE probe (n integer)');
    await inDatabase(url, 'INSERT INTO probe VALUES (0)');
    return new Watch(url, origins);
  }

  /** Whether all is well by the last answers. */
  get isGood() {
    return this.all.every(({ answers }) => answers.at(-1)?.isGood);
  }

  ask(question) {
    const answers = [];
    const loop = async () => {
      while (!this.isOver) {
        const beginMs = performance.now();
        const isGood = await question();
        answers.push({ beginMs, endMs: performance.now(), isGood });
        await sleep(EVERY_MS);
      }
    };
    return { answers, loop: loop() };
  }

  /**
   * How long the database was away, how long after it had gone a process still called itself ready, and how long after it
   * was back one still did not: the worse of them.
   */
  between(fromMs, toMs) {
    const [truth, ...said] = this.all.map(({ answers }) =>
      outageOf(answers.filter(({ beginMs, endMs }) => endMs >= fromMs && beginMs <= toMs)),
    );
    if (!truth)
      return {
        awayMs: 0,
        wrongReadyMs: 0,
        wrongUnreadyMs: worst(said.map((one) => (one ? one.toMs - one.fromMs : 0))),
      };
    return {
      awayMs: Math.round(truth.toMs - truth.fromMs),
      // Who never said so was wrong all the time.
      wrongReadyMs: worst(said.map((one) => (one?.saidMs ?? truth.toMs) - truth.fromMs)),
      wrongUnreadyMs: worst(said.map((one) => (one?.toMs ?? truth.toMs) - truth.toMs)),
    };
  }

  async end() {
    this.isOver = true;
    await Promise.all(this.all.map(({ loop }) => loop));
  }
}

const worst = (times) => Math.round(Math.max(0, ...times));

/** From the first question with a bad answer to the first good answer after the last bad one. */
function outageOf(answers) {
  const first = answers.find(({ isGood }) => !isGood);
  if (!first) return undefined;
  const last = answers.findLastIndex(({ isGood }) => !isGood);
  return { fromMs: first.beginMs, saidMs: first.endMs, toMs: (answers[last + 1] ?? answers[last]).endMs };
}

async function canWrite(connectionString) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: LIMIT_MS, query_timeout: LIMIT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('UPDATE probe SET n = n + 1');
    return true;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}

async function isReady(origin) {
  const answer = await fetch(`${origin}/health/ready`, { signal: AbortSignal.timeout(2 * LIMIT_MS) }).catch(
    () => undefined,
  );
  return answer?.status === 200;
}
