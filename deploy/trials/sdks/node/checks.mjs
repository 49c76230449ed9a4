/* Calls of one service, each with what its answer must be; a line says how each went. */
import { Code, ConnectError } from '@connectrpc/connect';

export class Checks {
  constructor(name, client, print) {
    Object.assign(this, { name, client, print });
  }

  /** The operation must answer something of which `holds` is true. @returns the answer */
  async call(method, request, holds) {
    try {
      const answer = await this.client[method](request);
      this.say(method, holds(answer) ? undefined : JSON.stringify(answer, printable));
      return answer;
    } catch (error) {
      this.say(method, error.message);
      throw error;
    }
  }

  /** The operation must be refused with this code. */
  async refuse(method, request, code) {
    const outcome = await this.client[method](request).then(
      () => 'no refusal',
      (error) => Code[ConnectError.from(error).code],
    );
    this.say(method, outcome === Code[code] ? undefined : `${outcome} in place of ${Code[code]}`, Code[code]);
  }

  say(method, problem, more = '') {
    this.print(
      problem === undefined ? `ok ${this.name}.${method} ${more}` : `FAILED ${this.name}.${method} ${problem}`,
    );
  }
}

function printable(_key, value) {
  return typeof value === 'bigint' ? String(value) : value;
}
