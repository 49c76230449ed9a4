import type { RunServer } from '../test-server.js';

type At = (database: string) => RunServer['connection'];

export declare function takeDatabase(server: RunServer, at: At, isNew: boolean): Promise<string>;
export declare function returnDatabase(server: RunServer, at: At, name: string): Promise<void>;
