export * from '../../src/testing/sink.js';
