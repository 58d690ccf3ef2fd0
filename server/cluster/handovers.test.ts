import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { Handovers } from './handovers.ts';

function connection() {
  let isClosed = false;
  const handle = {
    close: () => {
      isClosed = true;
    },
  };
  return { handle, isClosed: () => isClosed };
}

/** A worker as its supervisor's Node has it, and a connection that it is handed. */
function handOver({ handle, isClosed } = connection()) {
  const process = Object.assign(new EventEmitter(), { send: () => true });
  const handovers = new Handovers({ process });
  const send: (message: object, handle?: object) => boolean = process.send;
  send({ cmd: 'NODE_CLUSTER', act: 'newconn', seq: 7 }, handle);
  const answer = (accepted: boolean) =>
    process.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: 7, accepted });
  /** What Node hears of it from then on. */
  const answers: unknown[] = [];
  process.on('internalMessage', (message: object) => {
    if ('ack' in message) answers.push(message);
  });
  const lose = () => process.emit('internalMessage', { cmd: 'NODE_HANDLE_NACK' });
  const arrive = () => process.emit('internalMessage', { cmd: 'NODE_HANDLE_ACK' });
  return { handovers, send, answer, answers, lose, arrive, isClosed };
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

it('has Node hand one that did not arrive to another worker, and close it when it got lost again and again', () => {
  const lost = connection();
  const accepted = Array.from({ length: 3 }, () => {
    const { answers, lose } = handOver(lost);
    lose();
    return answers;
  });
  const answer = { cmd: 'NODE_CLUSTER', ack: 7 };
  expect(accepted).toEqual([
    [{ ...answer, accepted: false }],
    [{ ...answer, accepted: false }],
    [{ ...answer, accepted: true }],
  ]);
});

it('knows which of several did not arrive', () => {
  const { answers, arrive, lose, send } = handOver();
  // Of what else is handed over, nobody waits for such an answer.
  send({ cmd: 'NODE_CLUSTER', act: 'other', seq: 8 }, connection().handle);
  send({ cmd: 'NODE_CLUSTER', act: 'newconn', seq: 9 }, connection().handle);
  arrive();
  lose();
  expect(answers).toEqual([]);
  lose();
  expect(answers).toEqual([{ cmd: 'NODE_CLUSTER', ack: 9, accepted: false }]);
});

it('lets every other message pass', () => {
  const { handovers, send, isClosed } = handOver();
  const other = connection();
  expect(send({ topic: 'stop' })).toBe(true);
  expect(send({ cmd: 'NODE_CLUSTER', act: 'other', seq: 8 }, other.handle)).toBe(true);
  handovers.close();
  expect([isClosed(), other.isClosed()]).toEqual([true, false]);
});
