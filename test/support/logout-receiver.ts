import { CallReceiver } from './call-receiver.js';

/** A call of the service to an application whose session has ended. */
export interface LogoutCall {
  readonly method: string | undefined;
  readonly contentType: string | undefined;
  readonly parameters: URLSearchParams;
  readonly token: string;
}

/** The applications that are told of logouts. */
export class LogoutReceiver extends CallReceiver {
  static override async open(): Promise<LogoutReceiver> {
    return new LogoutReceiver(await CallReceiver.listen());
  }

  calls(name: string): readonly LogoutCall[] {
    return this.callsTo(name).map(({ method, headers, body }) => {
      const parameters = new URLSearchParams(body);
      return { method, contentType: headers['content-type'], parameters, token: parameters.get('logout_token') ?? '' };
    });
  }

  /** Resolves when the application has been called so often. */
  async until(name: string, count = 1): Promise<readonly LogoutCall[]> {
    await this.untilCalled(name, count);
    return this.calls(name);
  }
}
