import { setTimeout as sleep } from 'node:timers/promises';
import { inDatabase } from './database.mjs';
import { until } from './machine.mjs';
import { Client } from './traffic.mjs';

/** Bounded, so that the machine has time for three servers: some sixty changes and three sign-ins a second. */
const WRITERS = 4;
const WRITE_EVERY_MS = 60;
const PEOPLE = 3;
const SIGN_IN_EVERY_MS = 800;
const REFRESHES = 2;

/** Changes by the API, sign-ins and refreshes at several processes, each of which is remembered once it was answered. */
export class Load {
  changes = [];
  /** The tokens that were answered last, for each sign-in. */
  signIns = [];
  done = { changes: 0, signIns: 0, refreshes: 0, slowestMs: 0 };
  refused = {};
  isOver = false;

  static async start(apis) {
    const load = new Load();
    const clientId = await apis[0].addApplication();
    const people = await apis[0].addPeople(PEOPLE);
    const at = (list, n) => list[n % list.length];
    load.running = [
      ...Array.from({ length: WRITERS }, (_, n) => load.write(at(apis, n), n)),
      ...people.map((person, n) => load.signIn(new Client(at(apis, n).origin, clientId, `192.0.2.${n}`), person)),
    ];
    return load;
  }

  async write(api, number) {
    for (let count = 0; !this.isOver; count += 1) {
      const name = `writer ${number} project ${count}`;
      await this.attempt(async () => {
        const startMs = performance.now();
        const answer = await api.ask('POST', '/management/v1/projects', { name });
        const text = await answer.text();
        this.done.slowestMs = Math.round(Math.max(this.done.slowestMs, performance.now() - startMs));
        if (answer.status !== 200) throw new Error(`${answer.status} ${/database\.\w+/.exec(text)?.[0] ?? text}`);
        this.changes.push({ name, atMs: performance.now() });
        this.done.changes += 1;
      });
      await sleep(WRITE_EVERY_MS);
    }
  }

  async signIn(client, person) {
    while (!this.isOver) {
      await this.attempt(async () => {
        const answered = { client, tokens: await client.signIn(person), atMs: performance.now() };
        this.signIns.push(answered);
        this.done.signIns += 1;
        for (let count = 0; count < REFRESHES; count += 1) {
          answered.tokens = await client.refresh(answered.tokens);
          this.done.refreshes += 1;
        }
      });
      await sleep(SIGN_IN_EVERY_MS);
    }
    client.close();
  }

  /** A refusal is counted by its status and reason. */
  async attempt(work) {
    try {
      await work();
    } catch (error) {
      const [, what = error.message.slice(0, 120)] = /\b(503 database\.\w+|503)\b/.exec(error.message) ?? [];
      this.refused[what] = (this.refused[what] ?? 0) + 1;
    }
  }

  mark() {
    return { changes: this.changes.length, signIns: this.signIns.length };
  }

  /** Of what was answered since then: what is not there. A sign-in that goes on meanwhile may be refreshed. */
  async lostSince({ changes, signIns }, url) {
    const [answered, people] = [this.changes.slice(changes), this.signIns.slice(signIns)];
    const rows = await inDatabase(url, "SELECT name FROM project WHERE name LIKE 'writer %'");
    const stored = new Set(rows.map(({ name }) => name));
    const lost = answered
      .filter(({ name }) => !stored.has(name))
      .map(({ name, atMs }) => `${name} at ${Math.round(atMs)}`);
    for (const { client, tokens, atMs } of people) {
      // Busy is not lost: who does not know is asked again.
      let status = 503;
      await until(
        async () => (status = (await client.askUserinfo(tokens.access_token)).status) !== 503,
        () => 'an answer about a token',
      );
      if (status !== 200) lost.push(`tokens of a sign-in at ${Math.round(atMs)}: ${status}`);
    }
    return lost;
  }

  /** The longest time without a change that was answered. */
  gap(fromMs, toMs) {
    const times = this.changes.map(({ atMs }) => atMs).filter((atMs) => atMs >= fromMs && atMs <= toMs);
    const all = [fromMs, ...times, toMs];
    return Math.round(Math.max(...all.slice(1).map((atMs, place) => atMs - all[place])));
  }

  async end() {
    this.isOver = true;
    await Promise.all(this.running);
    return { ...this.done, refused: this.refused };
  }
}
