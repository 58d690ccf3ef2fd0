import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { Handovers } from './handovers.ts';

/** A worker as its supervisor's Node has it, and a connection that it is handed. */
function handOver() {
  const process = Object.assign(new EventEmitter(), { send: () => true });
  const handovers = new Handovers({ process });
  let isClosed = false;
  const handle = {
    close: () => {
      isClosed = true;
    },
  };
  const send: (message: object, handle?: object) => boolean = process.send;
  send({ cmd: 'NODE_CLUSTER', act: 'newconn', seq: 7 }, handle);
  const answer = (accepted: boolean) =>
    process.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: 7, accepted });
  return { handovers, send, answer, isClosed: () => isClosed };
}

it('closes a connection that a dead worker had not taken', () => {
  const { handovers, isClosed } = handOver();
  handovers.close();
  expect(isClosed()).toBe(true);
});

it.each([true, false])('leaves one alone of which Node heard: taken %s', (accepted) => {
  const { handovers, answer, isClosed } = handOver();
  answer(accepted);
  handovers.close();
  // Node closes its own copy, or hands it to another worker.
  expect(isClosed()).toBe(false);
});

it('lets every other message pass', () => {
  const { handovers, send, isClosed } = handOver();
  let isOtherClosed = false;
  const other = {
    close: () => {
      isOtherClosed = true;
    },
  };
  expect(send({ topic: 'stop' })).toBe(true);
  expect(send({ cmd: 'NODE_CLUSTER', act: 'other', seq: 8 }, other)).toBe(true);
  handovers.close();
  expect([isClosed(), isOtherClosed]).toEqual([true, false]);
});
