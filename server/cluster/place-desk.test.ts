/** The desk, and those who borrow at it: several workers, without the processes. */
import { describe, expect, it } from 'vitest';
import { PlaceBorrower } from './lent-places.ts';
import { PlaceDesk } from './place-desk.ts';

const two = { concurrencyMax: 2, queueMax: 1 };

describe('places that workers borrow', () => {
  it('are as many for all workers together as for one', async () => {
    const { laneOf } = open();
    const first = await laneOf(1).tryTake();
    expect(await laneOf(2).tryTake()).not.toBeNull();
    expect(await laneOf(1).tryTake()).toBeNull();
    expect(await laneOf(2).tryTake()).toBeNull();
    first?.();
    expect(await laneOf(2).tryTake()).not.toBeNull();
  });

  it('are given back only once', async () => {
    const { laneOf } = open();
    const leave = await laneOf(1).tryTake();
    await laneOf(1).tryTake();
    expect(laneOf(1).running).toBe(2);
    leave?.();
    leave?.();
    expect(laneOf(1).running).toBe(1);
    expect(await laneOf(2).tryTake()).not.toBeNull();
    expect(await laneOf(2).tryTake()).toBeNull();
  });

  it('go to whoever waited first, in whichever worker', async () => {
    const { laneOf } = open({ concurrencyMax: 1, queueMax: 2 });
    const leave = await laneOf(1).tryTake();
    const order: number[] = [];
    const waits = [2, 1].map((worker) => {
      const { outcome } = laneOf(worker).take();
      return outcome.then((entered) => {
        order.push(worker);
        return entered;
      });
    });
    leave?.();
    const next = await waits[0];
    expect(order).toEqual([2]);
    if (typeof next === 'function') next();
    await waits[1];
    expect(order).toEqual([2, 1]);
  });

  it('have one queue, which takes as many as it may and not one more', async () => {
    const { laneOf, borrowerOf, desk } = open({ concurrencyMax: 1, queueMax: 1 });
    await laneOf(1).tryTake();
    void laneOf(1).take();
    expect(await laneOf(2).take().outcome).toBe('queue_full');
    expect(await laneOf(2).tryTake()).toBeNull();
    // The lane, and the two of worker 1: of who was turned away nothing is kept, here or there.
    expect(desk.size).toBe(3);
    expect([borrowerOf(1).size, borrowerOf(2).size]).toEqual([1, 0]);
  });

  it('let nobody pass by those who wait', async () => {
    const { laneOf } = open({ concurrencyMax: 1, queueMax: 1 });
    const leave = await laneOf(1).tryTake();
    const { outcome } = laneOf(2).take();
    leave?.();
    expect(await laneOf(1).tryTake()).toBeNull();
    expect(typeof (await outcome)).toBe('function');
  });

  it('are free again when somebody waits no longer', async () => {
    const { laneOf, desk } = open({ concurrencyMax: 1, queueMax: 1 });
    const leave = await laneOf(1).tryTake();
    const wait = laneOf(2).take();
    expect(wait.stop()).toBeNull();
    leave?.();
    expect(laneOf(2)).toMatchObject({ running: 0, waiting: 0 });
    expect(desk.size).toBe(0);
  });

  it('are not lost when somebody stops waiting in the moment in which they are called', async () => {
    const { laneOf, desk } = open({ concurrencyMax: 1, queueMax: 1 });
    const leave = await laneOf(1).tryTake();
    const wait = laneOf(2).take();
    // Given by the desk, and on its way.
    leave?.();
    const given = wait.stop();
    given?.();
    expect(desk.size).toBe(0);
    expect(await laneOf(1).tryTake()).not.toBeNull();
    expect(laneOf(2)).toMatchObject({ running: 0, waiting: 0 });
  });

  it('are waited for until they are given, and not less than that', async () => {
    const { laneOf } = open({ concurrencyMax: 1, queueMax: 1 });
    const leave = await laneOf(1).tryTake();
    const wait = laneOf(2).take();
    expect(laneOf(2)).toMatchObject({ running: 0, waiting: 1 });
    leave?.();
    const given = await wait.outcome;
    expect(wait.stop()).toBe(given);
    expect(laneOf(2)).toMatchObject({ running: 1, waiting: 0 });
    expect(await laneOf(1).tryTake()).toBeNull();
  });

  it('are free again when the worker that had them is dead, and its queue is left', async () => {
    const { laneOf, desk } = open({ concurrencyMax: 1, queueMax: 2 });
    await laneOf(1).tryTake();
    void laneOf(1).take();
    const { outcome } = laneOf(2).take();
    desk.leaveAll(1);
    expect(typeof (await outcome)).toBe('function');
    desk.leaveAll(2);
    expect(desk.size).toBe(0);
  });

  it('are counted for each configuration by itself', async () => {
    const { laneOf } = open({ concurrencyMax: 1, queueMax: 0 });
    await laneOf(1).tryTake();
    expect(await laneOf(2, 'up_1 2').tryTake()).not.toBeNull();
  });

  it('are given to nobody when the desk is no more', async () => {
    const { borrowerOf, laneOf } = open({ concurrencyMax: 1, queueMax: 1 });
    await laneOf(1).tryTake();
    const waiting = laneOf(2).take().outcome;
    borrowerOf(2).close();
    expect(await waiting).toBe('queue_full');
    expect(await laneOf(2, 'up_1 2').tryTake()).toBeNull();
    expect(laneOf(2)).toMatchObject({ running: 0, waiting: 0 });
  });
});

it('nobody is asked where any number is allowed', () => {
  const asked: unknown[] = [];
  const borrower = new PlaceBorrower({ take: (wish) => asked.push(wish), leave: () => {} });
  const places = borrower.open('up_1 1', { concurrencyMax: null, queueMax: 0 });
  expect(places.tryTake()).not.toBeNull();
  expect(asked).toEqual([]);
});

function open(limits = two) {
  const desk = new PlaceDesk();
  const borrowers = new Map<number, PlaceBorrower>();
  const borrowerOf = (worker: number): PlaceBorrower => {
    const known = borrowers.get(worker);
    if (known) return known;
    const borrower: PlaceBorrower = new PlaceBorrower({
      take: (wish) =>
        void desk.take(worker, wish).then((isGiven) => borrower.hear(wish.ticket, isGiven)),
      leave: (ticket) => desk.leave(worker, ticket),
    });
    borrowers.set(worker, borrower);
    return borrower;
  };
  const lanes = new Map<string, ReturnType<PlaceBorrower['open']>>();
  const laneOf = (worker: number, laneName = 'up_1 1') => {
    const name = `${worker} ${laneName}`;
    const known = lanes.get(name) ?? borrowerOf(worker).open(laneName, limits);
    lanes.set(name, known);
    return known;
  };
  return { desk, borrowerOf, laneOf };
}
