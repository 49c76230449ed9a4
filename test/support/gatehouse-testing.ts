/*
 * `gatehouse/testing` for the packages of the workspace: their worlds are on the server of this run, and not on one of
 * their own.
 */
export * from '../../src/extension/entry/testing.js';
export { startWorld, World } from './world.js';
