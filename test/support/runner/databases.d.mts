import type { TestServer } from '../test-server.js';

type At = (database: string) => TestServer['connection'];

export declare function takeDatabase(server: TestServer, at: At): Promise<string>;
export declare function returnDatabase(server: TestServer, at: At, name: string): Promise<void>;
