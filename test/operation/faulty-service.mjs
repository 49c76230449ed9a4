// The service, with one module more: every way in which an extension, a library or Node can fail.
import 'reflect-metadata';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import {
  Catch,
  Controller,
  Inject,
  Module,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';

const { modules } = await import(new URL('../../lib/internals.js', import.meta.url).href);

const { AppModule } = modules['app.module.js'];
const { Open } = modules['foundation/http/access.js'];
const { MigrationJobs } = modules['migration/job/migration-jobs.js'];

const fault = (what) => new Error(`a fault in ${what}`);

/** What a handler does before it answers, or instead; `answer` answers. */
const FAULTS = {
  handler: () => {
    throw fault('handler');
  },
  rejection: async () => {
    throw fault('rejection');
  },
  'floating promise': (_request, answer) => {
    void Promise.reject(fault('floating promise'));
    setTimeout(answer, 20);
  },
  'floating promise after the answer': (_request, answer) => {
    answer();
    void (async () => {
      await new Promise(setImmediate);
      throw fault('floating promise after the answer');
    })();
  },
  timer: () =>
    setTimeout(() => {
      throw fault('timer');
    }, 5),
  'timer after the answer': (_request, answer) => {
    answer();
    setTimeout(() => {
      throw fault('timer after the answer');
    }, 5);
  },
  immediate: () =>
    setImmediate(() => {
      throw fault('immediate');
    }),
  tick: () =>
    process.nextTick(() => {
      throw fault('tick');
    }),
  'stream without a listener': () =>
    new Readable({
      read() {
        this.destroy(fault('stream without a listener'));
      },
    }).resume(),
  'half an answer': (_request, _answer, response) => {
    response.write('half');
    setTimeout(() => {
      throw fault('half an answer');
    }, 5);
  },
  'answer written after its end': (_request, answer, response) => {
    answer();
    response.write('more');
  },
  'answer to the end of an answer': (_request, answer, response) => {
    response.once('finish', () => {
      throw fault('answer to the end of an answer');
    });
    answer();
  },
  body: (request) => {
    request.on('data', () => {
      throw fault('body');
    });
  },
  'end of a body': (request) => {
    request.resume().on('end', () => {
      throw fault('end of a body');
    });
  },
  'error of a request': (request) => {
    request.on('error', () => {
      throw fault('error of a request');
    });
    request.destroy(fault('request'));
  },
  'close of a socket': (request, answer) => {
    request.socket.on?.('close', () => {
      throw fault('close of a socket');
    });
    answer();
  },
  'close of a request': (request, answer) => {
    request.on('close', () => {
      throw fault('close of a request');
    });
    answer();
  },
  'worker thread': () => {
    new Worker('throw new Error("a fault in worker thread")', { eval: true });
  },
  'message of a worker': () => {
    new Worker('require("node:worker_threads").parentPort.postMessage(1)', { eval: true }).on('message', () => {
      throw fault('message of a worker');
    });
  },
  'error without a message': async () => {
    throw undefined;
  },
  'error that cannot be read': async () => {
    throw Object.create(null, {
      stack: {
        get() {
          throw fault('the stack');
        },
      },
      message: {
        get() {
          throw fault('the message');
        },
      },
    });
  },
};

class FaultyController {
  constructor(modules) {
    this.modules = modules;
  }

  fault(name, request, response) {
    const answer = () => response.status(200).set('Content-Type', 'text/plain; charset=utf-8').end('answered');
    return FAULTS[name](request, answer, response);
  }

  filtered() {
    throw fault('handler');
  }

  filteredLater() {
    throw fault('handler');
  }

  /** A job that waits for its end; answers what became of it. */
  async job() {
    const jobs = this.modules.get(MigrationJobs, { strict: false });
    const { id } = await jobs.start(
      { kind: 'export', editorId: 'nobody', phase: 'reading', file: 'a/b', isDryRun: false, timeoutMs: 60_000 },
      ({ signal }) => {
        setTimeout(() => {
          throw fault('job');
        }, 5);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    );
    for (;;) {
      const { state, reason } = await jobs.get(id);
      if (state !== 'running') return { state, reason };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  guarded() {}
  guardedLater() {}
  intercepted() {}
  piped() {}
}

class ThrowingFilter {
  catch() {
    throw fault('filter');
  }
}

class RejectingFilter {
  async catch() {
    await new Promise(setImmediate);
    throw fault('filter');
  }
}
Catch()(ThrowingFilter);
Catch()(RejectingFilter);

const throwing = (name) => ({
  [name]: () => {
    throw fault(name);
  },
});
const rejecting = (name) => ({
  [name]: async () => {
    await new Promise(setImmediate);
    throw fault(name);
  },
});

route('fault', Post, 'in/:name');
parameters('fault', Param('name'), Req(), Res());
route('job', Post, 'job');
route('filtered', Post, 'filtered', UseFilters(new ThrowingFilter()));
route('filteredLater', Post, 'filtered-later', UseFilters(new RejectingFilter()));
route('guarded', Post, 'guarded', UseGuards(throwing('canActivate')));
route('guardedLater', Post, 'guarded-later', UseGuards(rejecting('canActivate')));
route('intercepted', Post, 'intercepted', UseInterceptors(throwing('intercept')));
route('piped', Post, 'piped/:id', UsePipes(throwing('transform')));
parameters('piped', Param('id'));
Controller('fault')(FaultyController);
Inject(ModuleRef)(FaultyController, undefined, 0);
Open()(FaultyController);

function route(name, Method, path, ...decorators) {
  const descriptor = Object.getOwnPropertyDescriptor(FaultyController.prototype, name);
  for (const decorate of [Method(path), ...decorators]) decorate(FaultyController.prototype, name, descriptor);
}

function parameters(name, ...decorators) {
  for (const [index, decorate] of decorators.entries()) decorate(FaultyController.prototype, name, index);
}

/** Middleware that fails by the name in the path. */
const MIDDLEWARE = {
  throwing: () => {
    throw fault('middleware');
  },
  rejecting: async () => {
    await new Promise(setImmediate);
    throw fault('middleware');
  },
  floating: () => {
    void Promise.reject(fault('middleware'));
  },
  late: () => {
    setTimeout(() => {
      throw fault('middleware');
    }, 5);
  },
};

class FaultyModule {
  configure(consumer) {
    consumer
      .apply((request, response, next) => MIDDLEWARE[request.originalUrl.split('/').at(-1)](request, response, next))
      .forRoutes('middleware/*name');
  }
}
Module({ controllers: [FaultyController] })(FaultyModule);

const { of } = AppModule;
AppModule.of = (...values) => {
  const module = of.apply(AppModule, values);
  return { ...module, imports: [...module.imports, FaultyModule] };
};

// A defect of the process itself, which nothing but a signal asks for.
process.on('SIGUSR2', () =>
  setTimeout(() => {
    throw fault('the process');
  }, 1),
);

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop.abort());
await modules['process/start/service.js'].runService(stop.signal);
